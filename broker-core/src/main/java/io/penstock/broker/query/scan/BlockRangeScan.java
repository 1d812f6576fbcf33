package io.penstock.broker.query.scan;

import io.penstock.broker.query.column.ColumnPart;
import org.agrona.UnsafeApi;

/**
 * Which of the values of a block's rows lie in a range, for values of 2 and 4 bytes: what {@link RangeScan} does for 64 rows, for
 * all at once. The loops do the same with each word, so that compilers turn them into instructions for several words. Values are
 * copied to the heap before: loops over an array are compiled that way by all JDKs, loops over other memory by none that was seen.
 * Confined to one query agent.
 *
 * <p>Word i of each 64 rows ({@link ColumnPart#WORD_STRIDE}) has what is found at bits that go to their rows when they are shifted by 15 - i
 * (31 - i with 4 bytes). Four times four words are brought together when they are compared, and then the four that are left.
 */
final class BlockRangeScan {
    /** The longest shift of values that it compares. */
    static final int SHIFT_MAX = 2;

    /** Words that are compared in one go: 16 for each 64 rows. */
    private static final int LENGTH = 16 * ColumnPart.WORD_COUNT;

    private static final int FOLDED_LENGTH = LENGTH / 4;
    private static final int SECOND = FOLDED_LENGTH;
    private static final int THIRD = 2 * FOLDED_LENGTH;
    private static final int FOURTH = 3 * FOLDED_LENGTH;
    private static final int WORDS = ColumnPart.WORD_COUNT;
    private static final long ARRAY_OFFSET = UnsafeApi.arrayBaseOffset(long[].class);

    /** Values; what was found in them is in its first quarter. */
    private final long[] values = new long[LENGTH];

    /**
     * Rows whose values are in a range.
     *
     * @param part whose values have 2 or 4 bytes.
     * @param low  least value of the range, one that there can be.
     * @param high greatest one, the same.
     * @param into gets a bit for each row of the block; any one for values that do not count.
     */
    void all(final ColumnPart part, final long low, final long high, final long[] into) {
        final long address = part.valuesAddress(0);
        if (part.shift() == 1) {
            fold(address, low, high, RangeScan.ONES_OF_16, RangeScan.HIGHEST_OF_16);
            first(values, into);
        } else {
            fold(address, low, high, RangeScan.ONES_OF_32, RangeScan.HIGHEST_OF_32);
            first(values, into);
            fold(address + (long) LENGTH * Long.BYTES, low, high, RangeScan.ONES_OF_32, RangeScan.HIGHEST_OF_32);
            second(values, into);
        }
    }

    private void fold(final long address, final long low, final long high, final long ones, final long highest) {
        UnsafeApi.copyMemory(null, address, values, ARRAY_OFFSET, (long) LENGTH * Long.BYTES);
        // The sum has the highest bit if the value is not below, the difference if it is not above; neither leaves its
        // place.
        fold(values, highest - low * ones, highest | high * ones, highest);
    }

    private static void fold(final long[] values, final long ofLow, final long ofHigh, final long highest) {
        for (int i = 0; i < FOLDED_LENGTH; i++) {
            final long one = values[i];
            final long two = values[i + SECOND];
            final long three = values[i + THIRD];
            final long four = values[i + FOURTH];
            values[i] = ((one + ofLow & ofHigh - one & highest) >>> 12)
                    | ((two + ofLow & ofHigh - two & highest) >>> 8)
                    | ((three + ofLow & ofHigh - three & highest) >>> 4)
                    | (four + ofLow & ofHigh - four & highest);
        }
    }

    /** Brings what was found in words 0 to 15 to the rows. */
    private static void first(final long[] found, final long[] into) {
        for (int i = 0; i < WORDS; i++) {
            into[i] = found[i] >>> 3 | found[i + WORDS] >>> 2 | found[i + 2 * WORDS] >>> 1 | found[i + 3 * WORDS];
        }
    }

    /** Adds what was found in words 16 to 31. */
    private static void second(final long[] found, final long[] into) {
        for (int i = 0; i < WORDS; i++) {
            into[i] = into[i] >>> 16
                    | found[i] >>> 3
                    | found[i + WORDS] >>> 2
                    | found[i + 2 * WORDS] >>> 1
                    | found[i + 3 * WORDS];
        }
    }
}
