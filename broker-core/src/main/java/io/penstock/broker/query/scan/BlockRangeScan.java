package io.penstock.broker.query.scan;

import io.penstock.broker.query.column.ColumnPart;
import org.agrona.UnsafeApi;

/**
 * Which of the values of many rows lie in a range, for values of 2 and 4 bytes: what {@link RangeScan} does for 64 rows, in
 * three steps for several times 64. Values are copied to the heap; each word of them is compared, in a loop that does the
 * same with each one and so is turned into instructions that take several words at once; then the bits of each 64 rows are
 * brought together. Such loops over an array are compiled that way on all JDKs, loops over memory outside the heap on none that was
 * seen. Confined to one query agent.
 */
final class BlockRangeScan {
    /** The longest shift of values that it compares. */
    static final int SHIFT_MAX = 2;

    /** Words of values that are compared in one go. */
    private static final int STEP_LENGTH = 256;

    private static final long ARRAY_OFFSET = UnsafeApi.arrayBaseOffset(long[].class);
    private static final int WORDS_OF_16 = 16;
    private static final int WORDS_OF_32 = 32;

    /** Values, and then what was found of each word of them. */
    private final long[] values = new long[STEP_LENGTH];

    /**
     * For how many words of a bitmap values are compared in one go.
     *
     * @param shift 1 or 2, for values of 2 or 4 bytes.
     */
    static int stepLength(final int shift) {
        return STEP_LENGTH / (Long.BYTES << shift);
    }

    /**
     * Rows whose values are in a range.
     *
     * @param part whose values have 2 or 4 bytes.
     * @param from first word of the bitmap.
     * @param to   word behind the last one, no more than {@link #stepLength} after the first one.
     * @param low  least value of the range, one that there can be.
     * @param high greatest one, the same.
     * @param into gets a bit for each row at the places of the words; any one for values that do not count.
     */
    void all(
            final ColumnPart part, final int from, final int to, final long low, final long high, final long[] into) {
        final boolean areShort = part.shift() == 1;
        final int count = (to - from) * (areShort ? WORDS_OF_16 : WORDS_OF_32);
        UnsafeApi.copyMemory(null, part.valuesAddress(from), values, ARRAY_OFFSET, (long) count * Long.BYTES);
        if (areShort) {
            compare(values, count, low, high, RangeScan.ONES_OF_16, RangeScan.HIGHEST_OF_16);
            for (int word = from; word < to; word++) {
                into[word] = together16(values, (word - from) * WORDS_OF_16);
            }
        } else {
            compare(values, count, low, high, RangeScan.ONES_OF_32, RangeScan.HIGHEST_OF_32);
            for (int word = from; word < to; word++) {
                into[word] = together32(values, (word - from) * WORDS_OF_32);
            }
        }
    }

    /** Leaves in the highest bit of each place whether its value is in the range, and nothing in the other bits. */
    private static void compare(
            final long[] values,
            final int count,
            final long low,
            final long high,
            final long ones,
            final long highest) {
        // The sum has the highest bit if the value is not below, the difference if it is not above; neither leaves its place.
        final long ofLow = highest - low * ones;
        final long ofHigh = highest | high * ones;
        for (int i = 0; i < count; i++) {
            final long each = values[i];
            values[i] = each + ofLow & ofHigh - each & highest;
        }
    }

    private static long together16(final long[] found, final int from) {
        long rows = 0;
        for (int i = 0; i < WORDS_OF_16; i++) {
            rows |= found[from + i] >>> (WORDS_OF_16 - 1 - i);
        }
        return rows;
    }

    private static long together32(final long[] found, final int from) {
        long rows = 0;
        for (int i = 0; i < WORDS_OF_32; i++) {
            rows |= found[from + i] >>> (WORDS_OF_32 - 1 - i);
        }
        return rows;
    }
}
