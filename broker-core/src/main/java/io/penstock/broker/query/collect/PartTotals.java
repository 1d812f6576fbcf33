package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;

/** One part of each group, before it is handed to the groups. */
abstract class PartTotals {
    final int part;
    final int slot;
    final GroupTarget target;

    /**
     * Makes it, empty.
     *
     * @param part   number of the part.
     * @param slot   of the field that is its argument.
     * @param target that gets the totals.
     */
    PartTotals(final int part, final int slot, final GroupTarget target) {
        this.part = part;
        this.slot = slot;
        this.target = target;
    }

    /** @param row of the columns, by which single values are handed over. */
    static PartTotals of(final int part, final GroupShape.Part shape, final ColumnRow row, final GroupTarget target) {
        return switch (shape.use()) {
            case COUNT -> new CountTotals(part, shape.slot(), target);
            case SUM -> new SumTotals(part, shape.slot(), target);
            case EXTREMES -> new ExtremeTotals(part, shape.slot(), target);
            case DISTINCT -> new DistinctTotals(part, shape.slot(), row, target);
        };
    }

    /** Of some rows of a word those whose values can be added here, of rows whose values are known. */
    abstract long known(ColumnPart of, int word, long rows);

    /** Makes room for so many groups. */
    abstract void ensure(int groupCount);

    /**
     * Adds values.
     *
     * @param of     the rows' block.
     * @param word   of a bitmap of its rows.
     * @param rows   of the word, which are {@link #known}.
     * @param groups of all rows of the block.
     */
    abstract void add(ColumnPart of, int word, long rows, int[] groups);

    /** Whether {@link #addWhole} can add all rows of a block, all of which are there. */
    abstract boolean canAddWhole(ColumnPart of);

    /**
     * Adds the values of all rows of a block to totals of their own, which somebody else counts.
     *
     * @param of     the block's part, which it {@linkplain #canAddWhole can add}.
     * @param values of the block, and its groups.
     */
    abstract void addWhole(ColumnPart of, WholeBlock values);

    /**
     * Hands the totals of whole blocks to a group, and has none for it then.
     *
     * @param group number.
     * @param count of rows that were added to them.
     */
    abstract void handOver(int group, long count);

    /** Forgets the totals of whole blocks of a group, behind all others. */
    abstract void drop(int group);

    /** Hands all else to the groups, and is empty. */
    abstract void flush();

    static long kind(final ColumnPart of, final int kind, final int word) {
        return of.has(kind) ? of.kind(kind, word) : 0;
    }

    static long numbers(final ColumnPart of, final int word, final long rows) {
        return rows & kind(of, ColumnKind.NUMBER, word);
    }
}
