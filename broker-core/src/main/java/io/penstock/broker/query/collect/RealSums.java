package io.penstock.broker.query.collect;

import io.penstock.broker.filter.value.Numbers;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.NumberForm;
import java.util.Arrays;
import org.agrona.BitUtil;

/**
 * Exact sums of doubles for each group, in two integers of 47 bits for each double, so that the sums of 2^16 have room.
 *
 * <p>Doubles below a power of two are integers of one unit when they are decimals with few digits after the point: the
 * least of them is one unit of its last digit, and its lowest bit is 53 bits below its highest. With up to two digits that
 * is 2^-59, with up to six 2^-72. For other doubles it is looked at whether they are, and those that are not are added
 * to their group at once.
 */
final class RealSums {
    private static final int HALF_BITS = 47;
    private static final double HALF_SCALE = 0x1p47;

    /** Words of a whole block that are split in one go. */
    private static final int CHUNK = 128;

    private static final int WHOLE_STRIDE = 2;
    private static final int STRIDE = 4;
    private static final int COUNT = 0;
    private static final int HIGH = 1;
    private static final int LOW = 2;

    private final int part;
    private final GroupTarget target;
    private final int digitsMax;
    private final double bound;
    private final double highScale;
    private final int highExponent;

    /** Of a word, the parts of its numbers. */
    private final long[] highs = new long[Long.SIZE];

    private final long[] lows = new long[Long.SIZE];

    /** For each group: count, high, low, and one that is not used. */
    private long[] sums = new long[0];

    /** Of whole blocks, for each group: high and low; as long as a power of two. */
    private long[] wholeSums = new long[WHOLE_STRIDE];

    private final double[] wholeScaled = new double[2 * CHUNK];
    private final long[] wholeHighs = new long[2 * CHUNK];
    private final long[] wholeLows = new long[2 * CHUNK];

    private RealSums(final int part, final GroupTarget target, final int digitsMax, final int boundExponent) {
        this.part = part;
        this.target = target;
        this.digitsMax = digitsMax;
        bound = Math.scalb(1.0, boundExponent);
        highExponent = boundExponent - HALF_BITS;
        highScale = Math.scalb(1.0, -highExponent);
    }

    /** For numbers below 2^34 with up to two digits after the point, in units of 2^-60. */
    static RealSums coarse(final int part, final GroupTarget target) {
        return new RealSums(part, target, 2, 34);
    }

    /** For numbers below 2^22 with up to six digits after the point, in units of 2^-72. */
    static RealSums fine(final int part, final GroupTarget target) {
        return new RealSums(part, target, 6, 22);
    }

    /** Whether all numbers of a block, which has some that are no integers, are such. */
    boolean isFor(final ColumnPart of) {
        return of.form() <= digitsMax && isBelowBound(of);
    }

    /** Whether no number of a block is too great. */
    boolean isBelowBound(final ColumnPart of) {
        return NumberForm.number(of.form(), of.min()) > -bound && NumberForm.number(of.form(), of.max()) < bound;
    }

    /**
     * Adds numbers of a word of a block, which are finite.
     *
     * @param of         the block.
     * @param values     of its word.
     * @param rows       of the word.
     * @param first      row of the word.
     * @param groups     of all rows of the block.
     * @param groupCount above all groups.
     */
    void add(
            final ColumnPart of,
            final long[] values,
            final long rows,
            final int first,
            final int[] groups,
            final int groupCount) {
        if (sums.length < STRIDE * groupCount) {
            sums = Arrays.copyOf(sums, Math.max(STRIDE * groupCount, 2 * sums.length));
        }
        if (!isFor(of)) {
            addLookedAt(of, values, rows, first, groups);
            return;
        }
        split(values, of.base(), Numbers.powerOfTen(of.form()));
        if (groupCount == 1) {
            addToOne(rows);
        } else if (rows == -1) {
            for (int row = 0; row < Long.SIZE; row++) {
                add(highs[row], lows[row], groups[first + row]);
            }
        } else {
            for (long rest = rows; rest != 0; rest &= rest - 1) {
                final int row = Long.numberOfTrailingZeros(rest);
                add(highs[row], lows[row], groups[first + row]);
            }
        }
    }

    /** Splits all numbers of a word; those of rows that do not count come to nothing of use. */
    private void split(final long[] values, final long base, final double divisor) {
        for (int row = 0; row < Long.SIZE; row++) {
            final double scaled = (base + values[row]) / divisor * highScale;
            final long high = (long) scaled;
            highs[row] = high;
            lows[row] = (long) ((scaled - high) * HALF_SCALE);
        }
    }

    /**
     * Adds the numbers of a whole block, for which it {@linkplain #isFor is}. They are not counted here.
     *
     * @param of         the block.
     * @param values     two in each word.
     * @param groups     of them.
     * @param groupCount above all groups.
     */
    void addWhole(final ColumnPart of, final long[] values, final long[] groups, final int groupCount) {
        if (wholeSums.length < WHOLE_STRIDE * groupCount) {
            wholeSums = Arrays.copyOf(wholeSums, BitUtil.findNextPositivePowerOfTwo(WHOLE_STRIDE * groupCount));
        }
        final double divisor = Numbers.powerOfTen(of.form());
        for (int from = 0; from < values.length; from += CHUNK) {
            splitWhole(values, from, of.base(), divisor);
            if (groupCount == 1) {
                wholeSums[0] += sum(wholeHighs);
                wholeSums[1] += sum(wholeLows);
            } else {
                addChunk(groups, from, wholeHighs, wholeLows, wholeSums);
            }
        }
    }

    /** Splits the numbers of some words: those in the lower halves first. Two loops are compiled better than one that does both. */
    private void splitWhole(final long[] values, final int from, final long base, final double divisor) {
        final double[] scaled = wholeScaled;
        final double scale = highScale;
        for (int i = 0; i < CHUNK; i++) {
            scaled[i] = (base + (values[from + i] & WholeBlock.LOWER)) / divisor * scale;
        }
        for (int i = 0; i < CHUNK; i++) {
            scaled[i + CHUNK] = (base + (values[from + i] >>> Integer.SIZE)) / divisor * scale;
        }
        split(scaled, wholeHighs, wholeLows);
    }

    private static void split(final double[] scaled, final long[] highs, final long[] lows) {
        for (int i = 0; i < 2 * CHUNK; i++) {
            final double number = scaled[i];
            final long high = (long) number;
            highs[i] = high;
            lows[i] = (long) ((number - high) * HALF_SCALE);
        }
    }

    private static long sum(final long[] values) {
        long sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i];
        }
        return sum;
    }

    private static void addChunk(
            final long[] groups, final int from, final long[] highs, final long[] lows, final long[] to) {
        // As long as a power of two: so the compiler sees that no place is behind the end.
        final int mask = to.length - 1;
        for (int i = 0; i < CHUNK; i++) {
            final long group = groups[from + i];
            final int at = WHOLE_STRIDE * (int) group & mask;
            to[at] += highs[i];
            to[at | 1] += lows[i];
            final int other = WHOLE_STRIDE * (int) (group >>> Integer.SIZE) & mask;
            to[other] += highs[i + CHUNK];
            to[other | 1] += lows[i + CHUNK];
        }
    }

    /** Hands what whole blocks have brought to a group. */
    void handOver(final int group, final long count) {
        final int at = WHOLE_STRIDE * group;
        target.addReals(group, part, count, wholeSums[at], highExponent, wholeSums[at + 1], highExponent - HALF_BITS);
        drop(group);
    }

    /** Forgets what whole blocks have brought for a group. */
    void drop(final int group) {
        Arrays.fill(wholeSums, WHOLE_STRIDE * group, WHOLE_STRIDE * (group + 1), 0);
    }

    private void addToOne(final long rows) {
        long high = 0;
        long low = 0;
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            high += highs[row];
            low += lows[row];
        }
        sums[HIGH] += high;
        sums[LOW] += low;
        sums[COUNT] += Long.bitCount(rows);
        if (sums[COUNT] > SumTotals.COUNT_MAX - Long.SIZE) {
            flush(0);
        }
    }

    private void addLookedAt(
            final ColumnPart of, final long[] values, final long rows, final int first, final int[] groups) {
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            final double number = NumberForm.number(of.form(), of.base() + values[row]);
            if (isOfUnit(number)) {
                add(number, groups[first + row]);
            } else {
                target.addReal(groups[first + row], part, number);
            }
        }
    }

    private boolean isOfUnit(final double number) {
        if (Math.abs(number) >= bound) {
            return false;
        }
        final double scaled = number * highScale;
        final double rest = (scaled - (long) scaled) * HALF_SCALE;
        return rest == (long) rest;
    }

    private void add(final double number, final int group) {
        final double scaled = number * highScale;
        final long high = (long) scaled;
        add(high, (long) ((scaled - high) * HALF_SCALE), group);
    }

    private void add(final long high, final long low, final int group) {
        final int at = STRIDE * group;
        sums[at + HIGH] += high;
        sums[at + LOW] += low;
        sums[at + COUNT]++;
        if (sums[at + COUNT] >= SumTotals.COUNT_MAX) {
            flush(group);
        }
    }

    private void flush(final int group) {
        final int at = STRIDE * group;
        target.addReals(
                group, part, sums[at + COUNT], sums[at + HIGH], highExponent, sums[at + LOW], highExponent - HALF_BITS);
        Arrays.fill(sums, at, at + STRIDE, 0);
    }

    /** Hands all to the groups, and is empty. */
    void flush() {
        for (int group = 0; group < sums.length / STRIDE; group++) {
            if (sums[STRIDE * group + COUNT] != 0) {
                flush(group);
            }
        }
    }
}
