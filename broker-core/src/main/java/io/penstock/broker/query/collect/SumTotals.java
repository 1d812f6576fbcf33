package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.NumberForm;
import java.util.Arrays;
import org.agrona.BitUtil;

/** Exact sums of numbers; everything else counts as null. */
final class SumTotals extends PartTotals {
    /** Values of a group after which its sum is handed on. */
    static final int COUNT_MAX = 1 << 16;

    /** Below this {@link #COUNT_MAX} integers have a sum of 64 bits. */
    private static final long INTEGER_BOUND = 1L << 46;

    private static final int STRIDE = 2;
    private static final int COUNT = 0;
    private static final int SUM = 1;

    private final long[] values = new long[Long.SIZE];
    private final RealSums coarse;
    private final RealSums fine;

    /** Of integers, for each group: count and sum. */
    private long[] integers = new long[0];

    /** Of integers in whole blocks, for each group; as long as a power of two. */
    private long[] wholeSums = new long[1];

    /** What values of whole blocks are: integers, or decimals with few digits or more; that of the first such block. */
    private Whole whole = Whole.NOT_KNOWN;

    private int groupCount;

    private enum Whole {
        NOT_KNOWN,
        INTEGER,
        COARSE,
        FINE,
        NONE
    }

    SumTotals(final int part, final int slot, final GroupTarget target) {
        super(part, slot, target);
        coarse = RealSums.coarse(part, target);
        fine = RealSums.fine(part, target);
    }

    @Override
    long known(final ColumnPart of, final int word, final long rows) {
        return KeyField.areFinite(of) ? rows : rows & ~kind(of, ColumnKind.NUMBER, word);
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
        if (whole != numbers) {
            final RealSums to = coarse.isFor(of) || !fine.isBelowBound(of) ? coarse : fine;
            to.add(of, values, numbers & ~whole, word * Long.SIZE, groups, groupCount);
        }
    }

    private void addIntegers(final ColumnPart of, final int word, final long rows, final int[] groups) {
        if (integers.length < STRIDE * groupCount) {
            integers = Arrays.copyOf(integers, Math.max(STRIDE * groupCount, 2 * integers.length));
        }
        final boolean areKeys = of.form() == NumberForm.INTEGER;
        if (groupCount == 1 && areKeys && of.min() > -INTEGER_BOUND && of.max() < INTEGER_BOUND) {
            addToOne(of.base(), rows);
            return;
        }
        final long base = of.base();
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            final long key = base + values[row];
            final int group = groups[word * Long.SIZE + row];
            addInteger(group, areKeys ? key : (long) NumberForm.number(of.form(), key));
        }
    }

    private void addToOne(final long base, final long rows) {
        long sum = 0;
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            sum += values[Long.numberOfTrailingZeros(rest)];
        }
        final int count = Long.bitCount(rows);
        integers[SUM] += sum + base * count;
        integers[COUNT] += count;
        if (integers[COUNT] > COUNT_MAX - Long.SIZE) {
            flushIntegers(0);
        }
    }

    private void addInteger(final int group, final long value) {
        if (value <= -INTEGER_BOUND || value >= INTEGER_BOUND) {
            target.addLongs(group, part, 1, value);
            return;
        }
        final int at = STRIDE * group;
        integers[at + SUM] += value;
        integers[at + COUNT]++;
        if (integers[at + COUNT] >= COUNT_MAX) {
            flushIntegers(group);
        }
    }

    private void flushIntegers(final int group) {
        final int at = STRIDE * group;
        target.addLongs(group, part, integers[at + COUNT], integers[at + SUM]);
        integers[at + COUNT] = 0;
        integers[at + SUM] = 0;
    }

    @Override
    boolean canAddWhole(final ColumnPart of) {
        final Whole found = wholeOf(of);
        whole = whole == Whole.NOT_KNOWN && found != Whole.NONE ? found : whole;
        return found != Whole.NONE && found == whole;
    }

    private Whole wholeOf(final ColumnPart of) {
        if (!WholeBlocks.areNumbers(of)) {
            return Whole.NONE;
        }
        if (of.form() == NumberForm.INTEGER) {
            return of.min() > -INTEGER_BOUND && of.max() < INTEGER_BOUND ? Whole.INTEGER : Whole.NONE;
        }
        if (of.hasIntegers()) {
            return Whole.NONE;
        }
        return coarse.isFor(of) ? Whole.COARSE : fine.isFor(of) ? Whole.FINE : Whole.NONE;
    }

    @Override
    void addWhole(final ColumnPart of, final WholeBlock block) {
        final long[] values = block.values(slot, of);
        if (whole != Whole.INTEGER) {
            (whole == Whole.COARSE ? coarse : fine).addWhole(of, values, block.groups(), groupCount);
            return;
        }
        if (wholeSums.length < groupCount) {
            wholeSums = Arrays.copyOf(wholeSums, BitUtil.findNextPositivePowerOfTwo(groupCount));
        }
        if (groupCount == 1) {
            wholeSums[0] += sum(values) + of.base() * (2L * values.length);
        } else {
            addWhole(values, of.base(), block.groups(), wholeSums);
        }
    }

    private static long sum(final long[] values) {
        long sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += (values[i] & WholeBlock.LOWER) + (values[i] >>> Integer.SIZE);
        }
        return sum;
    }

    private static void addWhole(final long[] values, final long base, final long[] groups, final long[] sums) {
        final int mask = sums.length - 1;
        for (int i = 0; i < values.length; i++) {
            final long group = groups[i];
            sums[(int) group & mask] += base + (values[i] & WholeBlock.LOWER);
            sums[(int) (group >>> Integer.SIZE) & mask] += base + (values[i] >>> Integer.SIZE);
        }
    }

    @Override
    void handOver(final int group, final long count) {
        if (whole == Whole.INTEGER) {
            target.addLongs(group, part, count, wholeSums[group]);
            wholeSums[group] = 0;
        } else {
            (whole == Whole.COARSE ? coarse : fine).handOver(group, count);
        }
    }

    @Override
    void drop(final int group) {
        if (whole == Whole.INTEGER) {
            wholeSums[group] = 0;
        } else {
            (whole == Whole.COARSE ? coarse : fine).drop(group);
        }
    }

    @Override
    void flush() {
        for (int group = 0; group < integers.length / STRIDE; group++) {
            if (integers[STRIDE * group + COUNT] != 0) {
                flushIntegers(group);
            }
        }
        coarse.flush();
        fine.flush();
    }
}
