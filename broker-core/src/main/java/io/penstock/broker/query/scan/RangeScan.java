package io.penstock.broker.query.scan;

import io.penstock.broker.query.column.ColumnPart;
import org.agrona.UnsafeApi;

/**
 * Which of the values of 64 rows lie in a range, without a branch for each. Short values are compared several at a time:
 * the highest bit of each place in a word is free, so that a subtraction leaves there whether it had to borrow, and borrows
 * from no other place.
 */
public final class RangeScan {
    static final long HIGHEST_OF_16 = 0x8000_8000_8000_8000L;
    static final long ONES_OF_16 = 0x0001_0001_0001_0001L;
    static final long HIGHEST_OF_32 = 0x8000_0000_8000_0000L;
    static final long ONES_OF_32 = 0x0000_0001_0000_0001L;
    private static final int WORDS_OF_16 = 16;
    private static final int WORDS_OF_32 = 32;
    private static final int GROUP_LENGTH = 8;

    private RangeScan() {}

    /**
     * Rows whose values are in a range.
     *
     * @param address of the values of 64 rows of a part.
     * @param shift   1, 2 or 3 for values of 2, 4 or 8 bytes.
     * @param low     least value of the range.
     * @param high    greatest one. In 2 or 4 bytes both are values that there can be; in 8 the range and all values that
     *                count lie in a range of less than 2^63 values.
     * @return a bit for each; any one for values that do not count.
     */
    public static long all(final long address, final int shift, final long low, final long high) {
        return switch (shift) {
            case 1 -> all16(address, low, high);
            case 2 -> all32(address, low, high);
            default -> all64(address, low, high);
        };
    }

    private static long all16(final long address, final long low, final long high) {
        final long lows = low * ONES_OF_16;
        final long highs = high * ONES_OF_16 | HIGHEST_OF_16;
        long inside = 0;
        for (int i = 0; i < WORDS_OF_16; i++) {
            final long values = UnsafeApi.getLong(address + (long) i * ColumnPart.WORD_STRIDE);
            final long found = (values | HIGHEST_OF_16) - lows & highs - values & HIGHEST_OF_16;
            inside |= found >>> (WORDS_OF_16 - 1 - i);
        }
        return inside;
    }

    private static long all32(final long address, final long low, final long high) {
        final long lows = low * ONES_OF_32;
        final long highs = high * ONES_OF_32 | HIGHEST_OF_32;
        long inside = 0;
        for (int i = 0; i < WORDS_OF_32; i++) {
            final long values = UnsafeApi.getLong(address + (long) i * ColumnPart.WORD_STRIDE);
            final long found = (values | HIGHEST_OF_32) - lows & highs - values & HIGHEST_OF_32;
            inside |= found >>> (WORDS_OF_32 - 1 - i);
        }
        return inside;
    }

    private static long all64(final long address, final long low, final long high) {
        long outside = 0;
        for (int group = 0; group < Long.SIZE; group += GROUP_LENGTH) {
            final long at = address + (long) group * Long.BYTES;
            final long bits = (outside(at, low, high) >>> 63)
                    | ((outside(at + 8, low, high) >>> 62) & 2)
                    | ((outside(at + 16, low, high) >>> 61) & 4)
                    | ((outside(at + 24, low, high) >>> 60) & 8)
                    | ((outside(at + 32, low, high) >>> 59) & 16)
                    | ((outside(at + 40, low, high) >>> 58) & 32)
                    | ((outside(at + 48, low, high) >>> 57) & 64)
                    | ((outside(at + 56, low, high) >>> 56) & 128);
            outside |= bits << group;
        }
        return ~outside;
    }

    /** Negative when the value is outside: then one of the differences is, and neither overflows. */
    private static long outside(final long address, final long low, final long high) {
        final long value = UnsafeApi.getLong(address);
        return value - low | high - value;
    }
}
