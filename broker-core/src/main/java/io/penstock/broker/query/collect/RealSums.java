package io.penstock.broker.query.collect;

import io.penstock.broker.filter.value.Numbers;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.NumberForm;
import java.util.Arrays;

/**
 * Exact sums of doubles for each group, in two integers.
 *
 * <p>Doubles of a decimal form below a power of two are integers of one unit, if they have no more digits after the point
 * than the form: the least of them is 10 to the power of minus the digits, and its lowest bit is 53 bits below its highest.
 * With 47 bits in each of two integers, the sums of 2^16 such values have room.
 */
final class RealSums {
    private static final int PART_BITS = 47;

    private static final int STRIDE = 4;
    private static final int COUNT = 0;
    private static final int HIGH = 1;
    private static final int LOW = 2;
    private static final double LOW_SCALE = 0x1p47;

    private final int part;
    private final GroupTarget target;
    private final int digitsMax;
    private final double bound;
    private final double highScale;
    private final int highExponent;

    /** For each group: count, high, low, and one that is not used. */
    private long[] sums = new long[0];

    private RealSums(final int part, final GroupTarget target, final int digitsMax, final int boundExponent) {
        this.part = part;
        this.target = target;
        this.digitsMax = digitsMax;
        bound = Math.scalb(1.0, boundExponent);
        highExponent = boundExponent - PART_BITS;
        highScale = Math.scalb(1.0, -highExponent);
    }

    /** One for each unit that there is. Lowest bits: 0.01 has 2^-59, and 0.000001 has 2^-72. */
    static RealSums[] all(final int part, final GroupTarget target) {
        return new RealSums[] {new RealSums(part, target, 2, 34), new RealSums(part, target, 6, 22)};
    }

    /** Whether the numbers of a block, which are not all integers, can be added. */
    boolean holds(final ColumnPart of) {
        return of.form() <= digitsMax
                && NumberForm.number(of.form(), of.min()) > -bound
                && NumberForm.number(of.form(), of.max()) < bound;
    }

    /**
     * Adds numbers of a word of a block.
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
        final long base = of.base();
        final double divisor = Numbers.powerOfTen(of.form());
        if (rows == -1) {
            for (int row = 0; row < Long.SIZE; row++) {
                add((base + values[row]) / divisor, groups[first + row]);
            }
            return;
        }
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            add((base + values[row]) / divisor, groups[first + row]);
        }
    }

    private void add(final double value, final int group) {
        final double scaled = value * highScale;
        final long high = (long) scaled;
        final long low = (long) ((scaled - high) * LOW_SCALE);
        final int at = STRIDE * group;
        sums[at + HIGH] += high;
        sums[at + LOW] += low;
        sums[at + COUNT]++;
        if (sums[at + COUNT] == SumTotals.COUNT_MAX) {
            flush(group);
        }
    }

    private void flush(final int group) {
        final int at = STRIDE * group;
        target.addReals(
                group,
                part,
                sums[at + COUNT],
                sums[at + HIGH],
                highExponent,
                sums[at + LOW],
                highExponent - PART_BITS);
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
