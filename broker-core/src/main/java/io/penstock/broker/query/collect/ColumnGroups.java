package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.BlockColumns;
import io.penstock.broker.query.column.Column;
import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnLease;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds rows to groups. Where keys and arguments are plain fields, the values of all rows of a block are added up here, and
 * the totals are handed over at the end. A row that has a value which does not fit that, or whose arguments are computed, is
 * added to its group as read from the columns; where keys are computed its group is found in this way, too. One with a value
 * that a column does not hold is left.
 */
public final class ColumnGroups implements BlockCollector {
    private final Column[] columns;
    private final ColumnRow row;
    private final GroupTarget target;
    private final @Nullable GroupSlots slots;
    private final PartTotals[] totals;
    private final boolean isComputed;
    private final @Nullable WholeBlocks wholeBlocks;
    private long[] rowCounts = new long[1];

    private ColumnGroups(final Column[] columns, final @Nullable GroupShape shape, final GroupTarget target) {
        this.columns = columns;
        this.target = target;
        row = new ColumnRow(columns);
        slots = shape == null ? null : new GroupSlots(shape.keys(), row, target);
        isComputed = shape != null && shape.isComputed();
        totals = new PartTotals[shape == null ? 0 : shape.parts().size()];
        for (int i = 0; shape != null && i < totals.length; i++) {
            totals[i] = PartTotals.of(i, shape.parts().get(i), row, target);
        }
        wholeBlocks = slots == null || isComputed ? null : new WholeBlocks(slots, row, totals, target);
    }

    /**
     * Makes it.
     *
     * @param fields  that the groups read.
     * @param shape   of the groups, or null when keys are computed.
     * @param target  that has the groups.
     * @param columns of the store, as long as they are used.
     * @return null when there is no column for one of the fields.
     */
    public static @Nullable ColumnGroups of(
            final FieldSet fields,
            final @Nullable GroupShape shape,
            final GroupTarget target,
            final ColumnLease columns) {
        final Column[] wanted = new Column[fields.count()];
        for (int slot = 0; slot < wanted.length; slot++) {
            final FieldPath path = fields.path(slot);
            final Column column = path.isHeader() ? null : columns.column(path);
            if (column == null) {
                return null;
            }
            wanted[slot] = column;
        }
        return new ColumnGroups(wanted, shape, target);
    }

    @Override
    public void addColumns(final List<Column> into) {
        for (final Column column : columns) {
            if (!into.contains(column)) {
                into.add(column);
            }
        }
    }

    @Override
    public int collect(final BlockColumns block, final long firstRow, final long[] rows, final int from, final int to) {
        if (target.isFull()) {
            // The first row that is read is refused.
            return 0;
        }
        row.block(block);
        final boolean areKeysKnown = slots != null && slots.begin();
        int count = areKeysKnown && wholeBlocks != null ? wholeBlocks.add(rows, from, to) : 0;
        for (int word = from; word < to; word++) {
            if (rows[word] != 0) {
                final long known = known(word, rows[word]);
                final long taken = slots == null || !areKeysKnown ? addEach(word, known) : addFound(slots, word, known);
                rows[word] &= ~taken;
                count += Long.bitCount(taken);
            }
        }
        return count;
    }

    /** Rows all of whose fields are known. */
    private long known(final int word, final long rows) {
        long others = 0;
        for (int slot = 0; slot < columns.length; slot++) {
            others |= PartTotals.kind(row.part(slot), ColumnKind.OTHER, word);
        }
        return rows & ~others;
    }

    private long quick(final int word, final long rows) {
        long left = rows;
        for (final PartTotals each : totals) {
            left = each.known(row.part(each.slot), word, left);
        }
        return left;
    }

    private long addEach(final int word, final long rows) {
        long taken = 0;
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int at = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
            taken |= target.add(row.at(at)) == GroupTarget.NO_GROUP ? 0 : rest & -rest;
        }
        return taken;
    }

    /** Adds rows whose keys are told apart here. */
    private long addFound(final GroupSlots of, final int word, final long rows) {
        final long found = of.find(word, rows);
        ensure(of.groupCount());
        final int[] groups = of.groups();
        final long quick = isComputed ? 0 : quick(word, found);
        if (quick != 0) {
            addRows(of, word, quick);
            for (final PartTotals each : totals) {
                each.add(row.part(each.slot), word, quick, groups);
            }
        }
        for (long rest = found & ~quick; rest != 0; rest &= rest - 1) {
            final int at = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
            target.addTo(groups[at], row.at(at));
        }
        return rows & ~of.refused();
    }

    private void ensure(final int groupCount) {
        if (groupCount > rowCounts.length) {
            rowCounts = Arrays.copyOf(rowCounts, Math.max(groupCount, 2 * rowCounts.length));
        }
        for (final PartTotals each : totals) {
            each.ensure(groupCount);
        }
    }

    private void addRows(final GroupSlots of, final int word, final long rows) {
        if (of.isWhole()) {
            rowCounts[0] += Long.bitCount(rows);
            return;
        }
        final int[] groups = of.groups();
        final int first = word * Long.SIZE;
        if (rows == -1) {
            for (int i = first; i < first + Long.SIZE; i++) {
                rowCounts[groups[i]]++;
            }
            return;
        }
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            rowCounts[groups[first + Long.numberOfTrailingZeros(rest)]]++;
        }
    }

    /** Hands what was added up here to the groups. */
    public void flush() {
        if (wholeBlocks != null) {
            wholeBlocks.flush();
        }
        final int groupCount = slots == null ? 0 : slots.groupCount();
        for (int group = 0; group < Math.min(groupCount, rowCounts.length); group++) {
            if (rowCounts[group] != 0) {
                target.addRows(group, rowCounts[group]);
                rowCounts[group] = 0;
            }
        }
        rowCounts = new long[1];
        for (final PartTotals each : totals) {
            each.flush();
        }
    }
}
