package io.penstock.broker.shard.order;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What follows the header of a piece of a long message, and is followed by its bytes. Little endian.
 *
 * <pre>
 *  +---------------------------------------------------------------+
 *  |             Number of the message among its origin's          |
 *  |                           (64 bits)                           |
 *  +---------------------------------------------------------------+
 *  |            Length of the payload and the headers              |
 *  +---------------------------------------------------------------+
 *  |               Where the piece lies in them                    |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class PieceHeader {
    /** In bytes. */
    public static final int LENGTH = 16;

    private static final int STAGING_OFFSET = 0;
    private static final int WHOLE_LENGTH_OFFSET = STAGING_OFFSET + SIZE_OF_LONG;
    private static final int START_OFFSET = WHOLE_LENGTH_OFFSET + SIZE_OF_INT;

    private PieceHeader() {}

    /** Writes it. */
    public static void put(
            final MutableDirectBuffer buffer,
            final int at,
            final long staging,
            final int wholeLength,
            final int start) {
        buffer.putLong(at + STAGING_OFFSET, staging, LITTLE_ENDIAN);
        buffer.putInt(at + WHOLE_LENGTH_OFFSET, wholeLength, LITTLE_ENDIAN);
        buffer.putInt(at + START_OFFSET, start, LITTLE_ENDIAN);
    }

    /** The number of the message. */
    public static long staging(final DirectBuffer buffer, final int at) {
        return buffer.getLong(at + STAGING_OFFSET, LITTLE_ENDIAN);
    }

    /** How long the payload and the headers are, in bytes. */
    public static int wholeLength(final DirectBuffer buffer, final int at) {
        return buffer.getInt(at + WHOLE_LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    /** Where the piece lies in them. */
    public static int start(final DirectBuffer buffer, final int at) {
        return buffer.getInt(at + START_OFFSET, LITTLE_ENDIAN);
    }
}
