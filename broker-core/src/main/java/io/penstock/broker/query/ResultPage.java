package io.penstock.broker.query;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Records of one topic that answer a query, laid out as in the log. Filled by a query agent, then sent by an I/O agent,
 * then filled again; it belongs to one of them at a time.
 */
public final class ResultPage {
    private final UnsafeBuffer buffer;
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

    void addRow(final int row, final long version) {
        buffer.putLong(length, row);
        buffer.putLong(length + Long.BYTES, version);
        added(2 * Long.BYTES);
    }

    /**
     * Reads the page of a query that asks for rows only.
     *
     * @param found to add to: each row, then the version that was found.
     */
    public void forEachRow(final LongArrayList found) {
        for (int at = 0; at < length; at += Long.BYTES) {
            found.addLong(buffer.getLong(at));
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
