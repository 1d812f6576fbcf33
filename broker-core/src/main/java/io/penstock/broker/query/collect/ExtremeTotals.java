package io.penstock.broker.query.collect;

import io.penstock.broker.filter.value.Numbers;
import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.NumberForm;
import java.util.Arrays;

/** The least and the greatest number of each group; texts and booleans are none of its business. */
final class ExtremeTotals extends PartTotals {
    /** Up to here all integers are doubles. */
    private static final long EXACT_MAX = 1L << 53;

    private static final int CHUNK = 128;
    private static final int STRIDE = 2;
    private static final int LEAST = 0;
    private static final int GREATEST = 1;

    private final long[] values = new long[Long.SIZE];
    private final double[] numbers = new double[2 * CHUNK];
    private double[] extremes = new double[0];

    ExtremeTotals(final int part, final int slot, final GroupTarget target) {
        super(part, slot, target);
    }

    @Override
    long known(final ColumnPart of, final int word, final long rows) {
        final long others =
                kind(of, ColumnKind.TEXT, word) | kind(of, ColumnKind.TRUE, word) | kind(of, ColumnKind.FALSE, word);
        return rows & ~(areExact(of) ? others : others | kind(of, ColumnKind.NUMBER, word));
    }

    private static boolean areExact(final ColumnPart of) {
        return of.form() == NumberForm.INTEGER
                ? of.min() >= -EXACT_MAX && of.max() <= EXACT_MAX
                : KeyField.areFinite(of);
    }

    @Override
    void ensure(final int groupCount) {
        final int length = extremes.length;
        if (STRIDE * groupCount > length) {
            extremes = Arrays.copyOf(extremes, Math.max(STRIDE * groupCount, 2 * length));
            for (int at = length; at < extremes.length; at += STRIDE) {
                clear(at);
            }
        }
    }

    private void clear(final int at) {
        extremes[at + LEAST] = Double.POSITIVE_INFINITY;
        extremes[at + GREATEST] = Double.NEGATIVE_INFINITY;
    }

    @Override
    void add(final ColumnPart of, final int word, final long rows, final int[] groups) {
        final long numbers = numbers(of, word, rows);
        if (numbers == 0) {
            return;
        }
        WordValues.read(of, word, numbers, values);
        final int form = of.form();
        final long base = of.base();
        for (long rest = numbers; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            final double number = NumberForm.number(form, base + values[row]);
            final int at = STRIDE * groups[word * Long.SIZE + row];
            extremes[at + LEAST] = Math.min(extremes[at + LEAST], number);
            extremes[at + GREATEST] = Math.max(extremes[at + GREATEST], number);
        }
    }

    @Override
    boolean canAddWhole(final ColumnPart of) {
        return WholeBlocks.areNumbers(of) && of.form() < NumberForm.REAL && areExact(of);
    }

    @Override
    void addWhole(final ColumnPart of, final WholeBlock block) {
        final long[] two = block.values(slot, of);
        final long[] groups = block.groups();
        final double divisor = Numbers.powerOfTen(of.form());
        final long base = of.base();
        for (int from = 0; from < two.length; from += CHUNK) {
            for (int i = 0; i < CHUNK; i++) {
                numbers[i] = (base + (two[from + i] & WholeBlock.LOWER)) / divisor;
                numbers[i + CHUNK] = (base + (two[from + i] >>> Integer.SIZE)) / divisor;
            }
            for (int i = 0; i < CHUNK; i++) {
                final long group = groups[from + i];
                add(STRIDE * (int) group, numbers[i]);
                add(STRIDE * (int) (group >>> Integer.SIZE), numbers[i + CHUNK]);
            }
        }
    }

    private void add(final int at, final double number) {
        if (number < extremes[at + LEAST]) {
            extremes[at + LEAST] = number;
        }
        if (number > extremes[at + GREATEST]) {
            extremes[at + GREATEST] = number;
        }
    }

    @Override
    void handOver(final int group, final long count) {
        // They lie with those of other blocks.
    }

    @Override
    void drop(final int group) {
        clear(STRIDE * group);
    }

    @Override
    void flush() {
        for (int group = 0; group < extremes.length / STRIDE; group++) {
            final int at = STRIDE * group;
            if (extremes[at + LEAST] <= extremes[at + GREATEST]) {
                target.addExtremes(group, part, extremes[at + LEAST], extremes[at + GREATEST]);
                clear(at);
            }
        }
    }
}
