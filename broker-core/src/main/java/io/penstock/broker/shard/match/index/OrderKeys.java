package io.penstock.broker.shard.match.index;

import org.agrona.DirectBuffer;

/**
 * Numbers that are ordered as values are. The key of a number is made of its bits as a double; of an integer that no
 * double has, of the next lower double. The key of a text is made of its first eight bytes.
 */
final class OrderKeys {
    /** Up to here, not included, every integer has a key of its own, and so does its neighbour. */
    static final double EXACT_BOUND = 0x1p53;

    private static final double LONG_BOUND = 0x1p63;

    private OrderKeys() {}

    static long of(final double value) {
        final long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
        return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
    }

    static long of(final long value) {
        final double near = (double) value;
        final boolean isAbove = near >= LONG_BOUND || (long) near > value;
        return of(isAbove ? Math.nextDown(near) : near);
    }

    /** A key that is not below that of any lower number. */
    static long ceilingOf(final long value) {
        final double near = (double) value;
        final boolean isBelow = near < LONG_BOUND && (long) near < value;
        return of(isBelow ? Math.nextUp(near) : near);
    }

    static long ofText(final DirectBuffer buffer, final int offset, final int length) {
        long key = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            key = key << Byte.SIZE | (i < length ? buffer.getByte(offset + i) & 0xFF : 0);
        }
        return key ^ Long.MIN_VALUE;
    }

    static long ofText(final byte[] text) {
        long key = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            key = key << Byte.SIZE | (i < text.length ? text[i] & 0xFF : 0);
        }
        return key ^ Long.MIN_VALUE;
    }
}
