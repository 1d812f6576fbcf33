package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.BlockColumns;
import io.penstock.broker.query.column.Column;
import java.util.List;

/** Takes rows of blocks by their columns, so that they need not be read. */
public interface BlockCollector {
    /**
     * The columns that it looks at.
     *
     * @param into gets those that are not in it.
     */
    void addColumns(List<Column> into);

    /**
     * Takes all rows of a block, if what is known of the block as a whole says that it would: then no row was looked at. Otherwise
     * nothing has changed, and rows are taken by {@link #collect}.
     *
     * @param block    whose columns the caller has, up to date, and all of whose rows match.
     * @param firstRow of the block, in the store.
     * @return whether all rows were taken.
     */
    default boolean collectAll(final BlockColumns block, final long firstRow) {
        return false;
    }

    /** Whether {@link #collectAll} may take a block now. */
    default boolean mayCollectAll() {
        return false;
    }

    /**
     * Takes rows that match. Those that it leaves are to be read.
     *
     * @param block    whose columns the caller has, up to date.
     * @param firstRow of the block, in the store.
     * @param rows     bitmap of rows that match, in which those that it has taken are cleared.
     * @param from  first word of the bitmap.
     * @param to    word behind the last one.
     * @return count of rows taken.
     */
    int collect(BlockColumns block, long firstRow, long[] rows, int from, int to);
}
