package io.penstock.broker.query.scan;

import org.agrona.UnsafeApi;

/** Which of 64 values lie in a range, without a branch for each. */
final class RangeScan {
    private static final int GROUP_LENGTH = 8;

    private RangeScan() {}

    /**
     * Values in a range.
     *
     * @param address of 64 values of 8 bytes.
     * @param low     least value of the range.
     * @param high    greatest one; the range and all values that count lie in a range of less than 2^63 values.
     * @return a bit for each; any one for values that do not count.
     */
    static long near(final long address, final long low, final long high) {
        long outside = 0;
        for (int group = 0; group < Long.SIZE; group += GROUP_LENGTH) {
            final long at = address + (long) group * Long.BYTES;
            final long bits = outside(at, low, high) >>> 63
                    | outside(at + 8, low, high) >>> 62 & 2
                    | outside(at + 16, low, high) >>> 61 & 4
                    | outside(at + 24, low, high) >>> 60 & 8
                    | outside(at + 32, low, high) >>> 59 & 16
                    | outside(at + 40, low, high) >>> 58 & 32
                    | outside(at + 48, low, high) >>> 57 & 64
                    | outside(at + 56, low, high) >>> 56 & 128;
            outside |= bits << group;
        }
        return ~outside;
    }

    /** Negative when the value is outside: then one of the differences is, and neither overflows. */
    private static long outside(final long address, final long low, final long high) {
        final long value = UnsafeApi.getLong(address);
        return value - low | high - value;
    }

    /**
     * Values in a range, however far apart.
     *
     * @param address    of 64 values of 8 bytes.
     * @param candidates those that count.
     * @param low        least value of the range.
     * @param high       greatest one.
     * @return a bit for each of the candidates.
     */
    static long each(final long address, final long candidates, final long low, final long high) {
        long inside = 0;
        long rest = candidates;
        while (rest != 0) {
            final int row = Long.numberOfTrailingZeros(rest);
            rest &= rest - 1;
            final long value = UnsafeApi.getLong(address + (long) row * Long.BYTES);
            inside |= value >= low & value <= high ? 1L << row : 0;
        }
        return inside;
    }
}
