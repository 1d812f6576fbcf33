package io.penstock.broker.query;

import io.penstock.broker.shard.store.FoundVersions;
import io.penstock.broker.shard.store.Version;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.collections.IntArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Records of one topic that answer a query, laid out as in the log. Filled by a query agent, then sent by an I/O agent,
 * then filled again; it belongs to one of them at a time.
 */
public final class ResultPage {
    /** Of a row, when a query asks for rows only: behind its sequence. */
    private static final int ROW_OFFSET = Long.BYTES;

    private static final int ROW_KEY_LENGTH_OFFSET = ROW_OFFSET + Integer.BYTES;
    private static final int ROW_KEY_OFFSET = ROW_KEY_LENGTH_OFFSET + Integer.BYTES;

    private final UnsafeBuffer buffer;
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private int shard;
    private int topicId;
    private int length;
    private int recordCount;

    ResultPage(final int capacity) {
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
    }

    void start(final int ofShard, final int ofTopic) {
        shard = ofShard;
        topicId = ofTopic;
        length = 0;
        recordCount = 0;
    }

    void added(final int alignedLength) {
        length += alignedLength;
        recordCount++;
    }

    boolean isOf(final int ofShard, final int ofTopic) {
        return shard == ofShard && topicId == ofTopic;
    }

    void free() {
        BufferUtil.free(buffer);
    }

    /** How much a row takes that {@link #addRow} adds. */
    static int rowLength(final long version) {
        return BitUtil.align(ROW_KEY_OFFSET + Version.keyLength(version), Long.BYTES);
    }

    void addRow(final int row, final long version) {
        buffer.putLong(length, Version.sequence(version));
        buffer.putInt(length + ROW_OFFSET, row);
        buffer.putInt(length + ROW_KEY_LENGTH_OFFSET, Version.keyLength(version));
        Version.wrapKey(key, version);
        buffer.putBytes(length + ROW_KEY_OFFSET, key, 0, key.capacity());
        added(rowLength(version));
    }

    /**
     * Reads the page of a query that asks for rows only.
     *
     * @param rows     to add the rows to; null when nobody asks for them.
     * @param versions to add the versions to that were found of them; null when nobody asks for them.
     */
    public void forEachRow(final @Nullable IntArrayList rows, final @Nullable FoundVersions versions) {
        int at = 0;
        for (int i = 0; i < recordCount; i++) {
            final int keyLength = buffer.getInt(at + ROW_KEY_LENGTH_OFFSET);
            if (rows != null) {
                rows.addInt(buffer.getInt(at + ROW_OFFSET));
            }
            if (versions != null) {
                versions.add(buffer.getLong(at), buffer, at + ROW_KEY_OFFSET, keyLength);
            }
            at += BitUtil.align(ROW_KEY_OFFSET + keyLength, Long.BYTES);
        }
    }

    public UnsafeBuffer buffer() {
        return buffer;
    }

    public int shard() {
        return shard;
    }

    public int topicId() {
        return topicId;
    }

    /**
     * The records with their padding.
     *
     * @return bytes from the start of the buffer.
     */
    public int length() {
        return length;
    }

    /**
     * Takes bytes away at the end.
     *
     * @param newLength of the records with their padding, in bytes.
     */
    public void length(final int newLength) {
        length = newLength;
    }

    public int recordCount() {
        return recordCount;
    }
}
