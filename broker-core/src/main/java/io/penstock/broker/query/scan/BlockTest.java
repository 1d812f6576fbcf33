package io.penstock.broker.query.scan;

import io.penstock.broker.query.column.BlockColumns;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.explain.PlanNode;

/**
 * A condition over a block of rows. Of the rows that it is asked about it yields those for which it holds, and those of
 * which the columns do not know; for all others it does not hold.
 */
abstract class BlockTest {
    /** Rows for which the condition holds. */
    final long[] held = new long[ColumnPart.WORD_COUNT];

    /** Rows of which nothing is known. */
    final long[] unknown = new long[ColumnPart.WORD_COUNT];

    /**
     * Asks about some rows.
     *
     * @param block      whose columns the caller has.
     * @param candidates the rows asked about; stay as they are.
     * @param from       first word of the bitmaps.
     * @param to         word behind the last one.
     */
    abstract void evaluate(BlockColumns block, long[] candidates, int from, int to);

    /** What it has done so far, for people. */
    abstract PlanNode describe();

    /** How much it costs, about, so that what costs less comes first. */
    abstract int cost();
}
