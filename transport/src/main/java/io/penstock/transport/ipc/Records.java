package io.penstock.transport.ipc;

import io.penstock.transport.TransportContext;
import org.agrona.BitUtil;

/**
 * The layout of a ring: one record for each offer, none of them cut in two.
 *
 * <pre>
 *   0              4              8
 *  +--------------+--------------+-----------
 *  | part, LE     | frame, LE    | bytes, and up to 7 more to the next multiple of 8
 *  +--------------+--------------+-----------
 * </pre>
 *
 * <p>{@code part} is the length of the bytes here, {@code frame} that of the frame they belong to. A part of -1 is a
 * record that reaches to the end of the ring and means nothing. The header is read and written as one word.
 */
final class Records {
    static final int HEADER_LENGTH = 8;
    static final int PART_LENGTH_MAX = TransportContext.FRAGMENT_LENGTH_MIN;
    static final int PADDING = -1;
    static final int ALIGNMENT = 8;

    private Records() {}

    static long header(final int partLength, final int frameLength) {
        return ((long) frameLength << 32) | (partLength & 0xFFFF_FFFFL);
    }

    static int partLength(final long header) {
        return (int) header;
    }

    static int frameLength(final long header) {
        return (int) (header >>> 32);
    }

    /** The room that a record takes. */
    static int lengthOf(final int partLength) {
        return BitUtil.align(HEADER_LENGTH + partLength, ALIGNMENT);
    }
}
