package io.penstock.broker.shard.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The length of all records that there are in the stores of a shard: a sum over the records, whatever memory they take, so
 * that it follows from the log. The writer counts; any thread may ask.
 */
public final class LiveLength {
    /** What a record counts beside its key and its content: about what it takes. Of the log's meaning, so not to be changed. */
    public static final int RECORD_LENGTH = 64;

    private final AtomicLong length = new AtomicLong();

    LiveLength() {}

    /**
     * By how much a put would make it longer. Called by the writer.
     *
     * @param store         of the record.
     * @param row           of the key, or {@link StateStore#NO_ROW} for a new one.
     * @param keyLength     of the key in bytes.
     * @param contentLength of the message and its headers in bytes.
     * @return bytes; below 0 when it becomes shorter.
     */
    public static long growth(final StateStore store, final int row, final int keyLength, final int contentLength) {
        return row == StateStore.NO_ROW
                ? RECORD_LENGTH + keyLength + (long) contentLength
                : (long) contentLength - Version.contentLength(store.newest(row));
    }

    void add(final long change) {
        length.setRelease(length.getPlain() + change);
    }

    /**
     * The length of the keys, messages and headers of all records, and {@link #RECORD_LENGTH} for each.
     *
     * @return bytes.
     */
    public long bytes() {
        return length.getAcquire();
    }
}
