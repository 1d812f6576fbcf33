package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import java.util.Arrays;

/** Counts values that are not null. */
final class CountTotals extends PartTotals {
    private static final int VALUES =
            1 << ColumnKind.NUMBER | 1 << ColumnKind.TEXT | 1 << ColumnKind.TRUE | 1 << ColumnKind.FALSE;

    private long[] counts = new long[1];

    CountTotals(final int part, final int slot, final GroupTarget target) {
        super(part, slot, target);
    }

    @Override
    long known(final ColumnPart of, final int word, final long rows) {
        return KeyField.areFinite(of) ? rows : rows & ~kind(of, ColumnKind.NUMBER, word);
    }

    @Override
    void ensure(final int groupCount) {
        if (groupCount > counts.length) {
            counts = Arrays.copyOf(counts, Math.max(groupCount, 2 * counts.length));
        }
    }

    @Override
    void add(final ColumnPart of, final int word, final long rows, final int[] groups) {
        final long present = rows & ~kind(of, ColumnKind.NULL, word) & ~kind(of, ColumnKind.OBJECT, word);
        for (long rest = present; rest != 0; rest &= rest - 1) {
            counts[groups[word * Long.SIZE + Long.numberOfTrailingZeros(rest)]]++;
        }
    }

    @Override
    boolean canAddWhole(final ColumnPart of) {
        return (of.kinds() & ~VALUES) == 0 && KeyField.areFinite(of);
    }

    @Override
    void addWhole(final ColumnPart of, final WholeBlock values) {
        // Each row has a value, so there are as many as rows.
    }

    @Override
    void handOver(final int group, final long count) {
        target.addCount(group, part, count);
    }

    @Override
    void drop(final int group) {
        // It has none.
    }

    @Override
    void flush() {
        for (int group = 0; group < counts.length; group++) {
            if (counts[group] != 0) {
                target.addCount(group, part, counts[group]);
                counts[group] = 0;
            }
        }
    }
}
