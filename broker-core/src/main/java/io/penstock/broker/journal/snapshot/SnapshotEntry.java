package io.penstock.broker.journal.snapshot;

/**
 * The entries of a snapshot, in this order: topics by their numbers, publishers by theirs from 1 on, records.
 *
 * <pre>
 *  topic:      as in the log
 *
 *  deleted:    0
 *              +-------+
 *              | count |  of topics with the next numbers, which are no other's
 *              +-------+
 *
 *  publisher:  0               8
 *              +---------------+------+
 *              | last sequence | name |
 *              +---------------+------+
 *
 *  record:     0          8           16        24      28           32
 *              +----------+-----------+---------+-------+------------+-----+---------+---------+
 *              | sequence | timestamp | expires | topic | lengths    | key | message | headers |
 *              +----------+-----------+---------+-------+------------+-----+---------+---------+
 * </pre>
 *
 * The lengths are that of the key, in the lower 16 bits, and that of the headers.
 */
public final class SnapshotEntry {
    public static final int TYPE_TOPIC = 1;
    public static final int TYPE_PUBLISHER = 2;
    public static final int TYPE_RECORD = 3;

    /** Between topics, or after them. */
    public static final int TYPE_TOPICS_DELETED = 4;

    /** Offset of a publisher's name. */
    public static final int NAME_OFFSET = Long.BYTES;

    /** Offset in a record's entry, as the others below; its sequence is at 0. */
    public static final int TIMESTAMP_OFFSET = Long.BYTES;

    public static final int EXPIRES_OFFSET = TIMESTAMP_OFFSET + Long.BYTES;
    public static final int TOPIC_ID_OFFSET = EXPIRES_OFFSET + Long.BYTES;
    public static final int LENGTHS_OFFSET = TOPIC_ID_OFFSET + Integer.BYTES;
    public static final int KEY_OFFSET = LENGTHS_OFFSET + Integer.BYTES;

    private static final int KEY_LENGTH_MASK = (1 << Short.SIZE) - 1;

    private SnapshotEntry() {}

    /** Two lengths in one field. */
    public static int lengths(final int keyLength, final int headersLength) {
        return (headersLength << Short.SIZE) | keyLength;
    }

    /** The key's length in a field with both. */
    public static int keyLength(final int lengths) {
        return lengths & KEY_LENGTH_MASK;
    }

    /** The headers' length in a field with both. */
    public static int headersLength(final int lengths) {
        return lengths >>> Short.SIZE;
    }
}
