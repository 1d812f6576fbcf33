package io.penstock.broker.shard.state;

import static io.penstock.protocol.RecordDescriptor.FLAG_EXPIRES;
import static io.penstock.protocol.RecordDescriptor.FLAG_HEADERS;
import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.StateRule;
import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;

/**
 * Applies a record of the log to the store of its topic. The only code that changes a store for a record: records just
 * appended to the window and records read from a file have the same effect. Confined to the writer of the store.
 */
public final class RecordChange {
    private final StateRule rule;
    private final StateStore store;

    /**
     * Makes the changes of a topic.
     *
     * @param rule  of the topic.
     * @param store of the topic.
     */
    public RecordChange(final StateRule rule, final StateStore store) {
        this.rule = rule;
        this.store = store;
    }

    /**
     * Finds the row of a key.
     *
     * @param key    buffer that holds the key.
     * @param offset of the key.
     * @param length of the key in bytes.
     * @return row, or {@link StateStore#NO_ROW}.
     */
    public int find(final DirectBuffer key, final int offset, final int length) {
        return store.find(key, offset, length);
    }

    /**
     * Returns whether there is memory for a record.
     *
     * @param row       of the key.
     * @param keyLength in bytes.
     * @param record    buffer that holds the record.
     * @param offset    of the record.
     * @return false when {@link #put} would fail.
     */
    public boolean hasRoom(final int row, final int keyLength, final DirectBuffer record, final int offset) {
        return store.hasRoom(
                row,
                keyLength,
                RecordDescriptor.messageLength(record, offset) + RecordDescriptor.headersLength(record, offset));
    }

    /**
     * Makes the message of a record the last value of its key.
     *
     * @param row       of the key.
     * @param key       buffer that holds the key.
     * @param keyOffset of the key.
     * @param keyLength of the key in bytes.
     * @param record    buffer that holds the record.
     * @param offset    of the record.
     * @return row of the key.
     * @throws IllegalStateException when there is no memory; {@link #hasRoom} says so before.
     */
    public int put(
            final int row,
            final DirectBuffer key,
            final int keyOffset,
            final int keyLength,
            final DirectBuffer record,
            final int offset) {
        // Each is read once: this is on the way of every message to a topic with state.
        final int flags = RecordDescriptor.flags(record, offset);
        final int length = RecordDescriptor.length(record, offset);
        final long timestampNs = RecordDescriptor.timestampNs(record, offset);
        return store.put(
                row,
                key,
                keyOffset,
                keyLength,
                record,
                offset + HEADER_LENGTH,
                length - HEADER_LENGTH - RecordDescriptor.trailerLength(record, offset),
                (flags & FLAG_HEADERS) == 0 ? 0 : RecordDescriptor.headersLength(record, offset),
                RecordDescriptor.sequence(record, offset),
                timestampNs,
                expiresNs(flags, record, offset + length, timestampNs));
    }

    /**
     * Deletes the key of a record.
     *
     * @param row    of the key, which is there.
     * @param record buffer that holds the record.
     * @param offset of the record.
     */
    public void delete(final int row, final DirectBuffer record, final int offset) {
        store.delete(row, RecordDescriptor.sequence(record, offset));
    }

    /** The expiration of a record's own is the last of it. */
    private long expiresNs(final int flags, final DirectBuffer record, final int end, final long timestampNs) {
        if ((flags & FLAG_EXPIRES) != 0) {
            return record.getLong(end - Long.BYTES, LITTLE_ENDIAN);
        }
        return rule.expirationNs() == 0 ? StateStore.NEVER : timestampNs + rule.expirationNs();
    }
}
