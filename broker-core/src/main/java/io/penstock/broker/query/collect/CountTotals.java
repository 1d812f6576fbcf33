package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import java.util.Arrays;

/** Counts values that are not null. */
final class CountTotals extends PartTotals {
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
    void flush() {
        for (int group = 0; group < counts.length; group++) {
            if (counts[group] != 0) {
                target.addCount(group, part, counts[group]);
                counts[group] = 0;
            }
        }
    }
}
