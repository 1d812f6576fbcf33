package io.penstock.transport.rdma;

import io.penstock.transport.TransportContext;
import org.agrona.BitUtil;

/**
 * The content of one send: a preamble, and one record for each offer, none of them cut in two. Little endian.
 *
 * <pre>
 *      0               4               8
 *     +---------------+---------------+
 *   0 | credits       | flags         |
 *     +---------------+---------------+
 *   8 | part          | frame         | bytes, and up to 7 more to the next multiple of 8, unless it is the last
 *     +---------------+---------------+
 *     | part          | frame         | ...
 * </pre>
 *
 * <p>{@code credits} is the number of slots that the sender of this has given back to its device since the last time;
 * {@code part} the length of the bytes here, {@code frame} that of the frame they belong to. A chunk without records is one
 * that carries credits, or the end.
 */
final class Chunks {
    static final int CREDITS_OFFSET = 0;
    static final int FLAGS_OFFSET = CREDITS_OFFSET + Integer.BYTES;
    static final int PREAMBLE_LENGTH = FLAGS_OFFSET + Integer.BYTES;

    /** A flag: the peer has closed, and nothing follows. */
    static final int LAST = 1;

    static final int PART_OFFSET = 0;
    static final int FRAME_OFFSET = PART_OFFSET + Integer.BYTES;
    static final int HEADER_LENGTH = FRAME_OFFSET + Integer.BYTES;
    static final int PART_LENGTH_MAX = TransportContext.FRAGMENT_LENGTH_MIN;

    /** Bodies from here on are sent from where they are, if their memory is registered: as long as a page. */
    static final int BODY_LENGTH_MIN = 4096;

    /** Records begin at multiples of it. */
    static final int ALIGNMENT = 8;

    /** Room for the longest part, and a multiple of a cache line. */
    static final int SLOT_LENGTH = PART_LENGTH_MAX + 64;

    private Chunks() {}

    /** The room that a record takes. */
    static int recordLength(final int partLength) {
        return BitUtil.align(HEADER_LENGTH + partLength, ALIGNMENT);
    }
}
