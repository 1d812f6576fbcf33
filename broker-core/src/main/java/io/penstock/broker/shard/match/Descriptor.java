package io.penstock.broker.shard.match;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.agrona.BitUtil.SIZE_OF_SHORT;

import org.agrona.DirectBuffer;

/**
 * Layout of the notices that the sequencer and the replayer send I/O agents through rings: where the records for a subscription lie, and where it turns from live to cursor and back.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                      Subscription feed                        |
 *  |                           (64 bits)                           |
 *  +---------------------------------------------------------------+
 *  |                          Position                             |
 *  |                           (64 bits)                           |
 *  +---------------------------------------------------------------+
 *  |                          Sequence                             |
 *  |                           (64 bits)                           |
 *  +---------------------------------------------------------------+
 *  |                     Length of the run                         |
 *  +---------------------------------------------------------------+
 *  |                          Topic id                             |
 *  +---------------------------------------------------------------+
 *  |                     Count of its records                      |
 *  +---------------------------------------------------------------+
 *  |            Shard              |      Kind of the delivery     |
 *  +-------------------------------+-------------------------------+
 * </pre>
 *
 * The position of a run in a page of a file is the page's number in the high 32 bits and an offset in it in the low ones.
 */
public final class Descriptor {
    /** A run: adjacent records of one topic, all for the subscription. */
    public static final int TYPE_RUN = 1;

    /** The subscription switches to a cursor at the position: everything before it was enqueued. */
    public static final int TYPE_TURN = 2;

    /** The subscription is live from the position on; a cursor serves everything before it. */
    public static final int TYPE_LIVE = 3;

    /** The cursor has served everything before the position, and has ended. */
    public static final int TYPE_CURSOR_END = 4;

    /** The next record of the cursor, the sequence, is no longer in the window, and the cursor has ended. */
    public static final int TYPE_FELL_BEHIND = 5;

    /** A run in a page of a file. */
    public static final int TYPE_PAGE_RUN = 6;

    /** Everything in the page was enqueued: it is to be given back once it was sent. */
    public static final int TYPE_PAGE_END = 7;

    /**
     * The cursor over the files has enqueued everything before the sequence, which is in the window, and has ended. The
     * position is the timestamp of its last record.
     */
    public static final int TYPE_FILES_END = 8;

    /**
     * The cursor has enqueued everything that was there when the subscription began, or everything up to the end of its
     * range. The position is 1 when the cursor has ended, else 0.
     */
    public static final int TYPE_COMPLETED = 9;

    /** The record with the sequence cannot be read, and the cursor has ended. */
    public static final int TYPE_FAILED = 10;

    /** The record with the sequence was removed from the log before it was read, and the cursor has ended. */
    public static final int TYPE_GONE = 11;

    /** A superseded subscription that follows state has got everything up to that point, and has ended. */
    public static final int TYPE_ENDED = 12;

    /** The topic was deleted whose state a subscription follows. */
    public static final int TYPE_TOPIC_DELETED = 13;

    public static final int SUBSCRIPTION_OFFSET = 0;
    public static final int POSITION_OFFSET = SUBSCRIPTION_OFFSET + SIZE_OF_LONG;
    public static final int SEQUENCE_OFFSET = POSITION_OFFSET + SIZE_OF_LONG;
    public static final int RUN_LENGTH_OFFSET = SEQUENCE_OFFSET + SIZE_OF_LONG;
    public static final int TOPIC_ID_OFFSET = RUN_LENGTH_OFFSET + SIZE_OF_INT;
    public static final int RECORD_COUNT_OFFSET = TOPIC_ID_OFFSET + SIZE_OF_INT;
    public static final int SHARD_OFFSET = RECORD_COUNT_OFFSET + SIZE_OF_INT;
    public static final int KIND_OFFSET = SHARD_OFFSET + SIZE_OF_SHORT;
    public static final int LENGTH = KIND_OFFSET + SIZE_OF_SHORT;

    private Descriptor() {}

    public static long subscription(final DirectBuffer buffer, final int index) {
        return buffer.getLong(index + SUBSCRIPTION_OFFSET);
    }

    public static long position(final DirectBuffer buffer, final int index) {
        return buffer.getLong(index + POSITION_OFFSET);
    }

    /**
     * Sequence of the run's first record, or of the record that comes next.
     *
     * @param buffer holding the descriptor.
     * @param index  of its first byte.
     * @return sequence; 0 for a run of records that were made for the subscription.
     */
    public static long sequence(final DirectBuffer buffer, final int index) {
        return buffer.getLong(index + SEQUENCE_OFFSET);
    }

    public static int runLength(final DirectBuffer buffer, final int index) {
        return buffer.getInt(index + RUN_LENGTH_OFFSET);
    }

    public static int topicId(final DirectBuffer buffer, final int index) {
        return buffer.getInt(index + TOPIC_ID_OFFSET);
    }

    public static int recordCount(final DirectBuffer buffer, final int index) {
        return buffer.getInt(index + RECORD_COUNT_OFFSET);
    }

    /**
     * The kind of the run's records for the subscription.
     *
     * @param buffer holding the descriptor.
     * @param index  of its first byte.
     * @return value of a {@code DeliveryKind} of the protocol.
     */
    public static int kind(final DirectBuffer buffer, final int index) {
        return buffer.getShort(index + KIND_OFFSET);
    }

    public static int shard(final DirectBuffer buffer, final int index) {
        return buffer.getShort(index + SHARD_OFFSET);
    }
}
