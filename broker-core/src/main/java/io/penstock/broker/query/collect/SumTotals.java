package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.NumberForm;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Exact sums of integers, and of decimals as the doubles that they are; everything else counts as null. */
final class SumTotals extends PartTotals {
    /** Integers up to here are summed, {@link #COUNT_MAX} of a group. */
    private static final long INTEGER_MAX = 1L << 46;

    /** Values of a group after which its sum is handed on. */
    static final int COUNT_MAX = 1 << 16;

    private static final int STRIDE = 2;
    private static final int COUNT = 0;
    private static final int SUM = 1;

    private final GroupTarget target;
    private final long[] values = new long[Long.SIZE];

    /** Of integers, for each group: count and sum. */
    private long[] integers = new long[0];

    private final RealSums[] reals;
    private int groupCount;

    SumTotals(final int part, final int slot, final GroupTarget target) {
        super(part, slot);
        this.target = target;
        reals = RealSums.all(part, target);
    }

    @Override
    long known(final ColumnPart of, final int word, final long rows) {
        return isWithinReach(of) ? rows : rows & ~kind(of, ColumnKind.NUMBER, word);
    }

    private boolean isWithinReach(final ColumnPart of) {
        if (!of.has(ColumnKind.NUMBER)) {
            return true;
        }
        return of.form() == NumberForm.INTEGER
                ? of.min() > -INTEGER_MAX && of.max() < INTEGER_MAX
                : realsFor(of) != null;
    }

    private @Nullable RealSums realsFor(final ColumnPart of) {
        for (final RealSums each : reals) {
            if (each.holds(of)) {
                return each;
            }
        }
        return null;
    }

    @Override
    void ensure(final int count) {
        groupCount = Math.max(groupCount, count);
    }

    @Override
    void add(final ColumnPart of, final int word, final long rows, final int[] groups) {
        final long numbers = numbers(of, word, rows);
        if (numbers == 0) {
            return;
        }
        WordValues.read(of, word, numbers, values);
        final long whole = of.hasIntegers() ? of.integers(word) & numbers : 0;
        if (whole != 0) {
            addIntegers(of, word, whole, groups);
        }
        final RealSums to = whole == numbers ? null : realsFor(of);
        if (to != null) {
            to.add(of, values, numbers & ~whole, word * Long.SIZE, groups, groupCount);
        }
    }

    private void addIntegers(final ColumnPart of, final int word, final long rows, final int[] groups) {
        if (integers.length < STRIDE * groupCount) {
            integers = Arrays.copyOf(integers, STRIDE * Math.max(groupCount, integers.length));
        }
        final boolean areKeys = of.form() == NumberForm.INTEGER;
        final long base = of.base();
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            final long key = base + values[row];
            final int group = groups[word * Long.SIZE + row];
            final int at = STRIDE * group;
            integers[at + SUM] += areKeys ? key : (long) NumberForm.number(of.form(), key);
            integers[at + COUNT]++;
            if (integers[at + COUNT] == COUNT_MAX) {
                flushIntegers(group);
            }
        }
    }

    private void flushIntegers(final int group) {
        final int at = STRIDE * group;
        target.addLongs(group, part, integers[at + COUNT], integers[at + SUM]);
        integers[at + COUNT] = 0;
        integers[at + SUM] = 0;
    }

    @Override
    void flush(final GroupTarget to, final int count) {
        for (int group = 0; group < integers.length / STRIDE; group++) {
            if (integers[STRIDE * group + COUNT] != 0) {
                flushIntegers(group);
            }
        }
        for (final RealSums each : reals) {
            each.flush();
        }
    }
}
