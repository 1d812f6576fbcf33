package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.BlockColumns;
import io.penstock.broker.query.column.Column;
import io.penstock.broker.query.column.ColumnReader;
import io.penstock.broker.query.column.StoreColumns;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.format.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the columns of blocks that a query wants: those of its filters and, as far as there is memory, those by which its
 * rows are collected. Confined to one query agent.
 */
public final class BlockReader {
    /** Of the columns of the filters; null when there are none. */
    private final @Nullable ColumnReader filtering;

    /** Of these and of those by which rows are collected; null when rows are not. */
    private final @Nullable ColumnReader collecting;

    private final @Nullable BlockCollector collector;

    /** One of the two, for the present block. */
    private @Nullable ColumnReader present;

    /**
     * Makes it.
     *
     * @param store     of the rows.
     * @param columns   of the store.
     * @param ofFilters columns of the filters, each once.
     * @param collector of rows that match, or null.
     * @param format    of the messages.
     */
    public BlockReader(
            final StateStore store,
            final StoreColumns columns,
            final List<Column> ofFilters,
            final @Nullable BlockCollector collector,
            final MessageFormat format) {
        this.collector = collector;
        filtering = ofFilters.isEmpty() ? null : new ColumnReader(store, columns, ofFilters, format);
        final List<Column> all = new ArrayList<>(ofFilters);
        if (collector != null) {
            collector.addColumns(all);
        }
        collecting = collector == null || all.isEmpty() ? null : new ColumnReader(store, columns, all, format);
    }

    /**
     * The columns by which rows are collected.
     *
     * @param into gets those that are not in it.
     */
    public void addColumns(final List<Column> into) {
        if (collector != null) {
            collector.addColumns(into);
        }
    }

    /** Whether there are columns to read. */
    public boolean isOfUse() {
        return filtering != null || collecting != null;
    }

    /**
     * Rows whose messages were read.
     *
     * @return count so far.
     */
    public long rowsRead() {
        return (filtering == null ? 0 : filtering.rowsRead()) + (collecting == null ? 0 : collecting.rowsRead());
    }

    /**
     * Makes sure that a block has the columns.
     *
     * @param of the block's columns, which the caller has.
     * @return false when there is no memory, not even for those of the filters.
     */
    public boolean ensure(final BlockColumns of) {
        present = collecting;
        if (present == null || !present.ensure(of)) {
            present = filtering;
            return present != null && present.ensure(of);
        }
        return true;
    }

    /** Whether {@link #ensure} has found memory for all columns, those by which rows are collected included. */
    public boolean hasAll() {
        return collecting == null || collecting.equals(present);
    }

    /**
     * Brings the columns of the block up to a snapshot, or goes some way there; see {@link ColumnReader#read}.
     *
     * @param of       the block's columns, which {@link #ensure} was asked for last.
     * @param block    number of the block.
     * @param sequence of the snapshot.
     * @param limit    of the rows that are read, about.
     * @return whether they are there.
     */
    public boolean read(final BlockColumns of, final int block, final long sequence, final int limit) {
        return present != null && present.read(of, block, sequence, limit);
    }

    /** Whether the columns of the block are those of the snapshot, without any row being read for that. */
    public boolean isRead(final BlockColumns of, final int block, final long sequence) {
        return present != null && present.isRead(of, block, sequence);
    }

    /**
     * Finds the rows of the block that have changed after a snapshot; see {@link ColumnReader#readChanged}.
     *
     * @param of       the block's columns, which are there.
     * @param block    number of the block.
     * @param sequence of the snapshot.
     * @param into     gets a bit for each row.
     */
    public void readChanged(final BlockColumns of, final int block, final long sequence, final long[] into) {
        if (present != null) {
            present.readChanged(of, block, sequence, into);
        }
    }

    /** Whether {@link #collectAll} may collect a block now. */
    public boolean mayCollectAll() {
        return collector != null && collector.mayCollectAll();
    }

    /**
     * Collects all rows of the block, if what is known of the block as a whole suffices for that.
     *
     * @param of       the block's columns, which are there; all of its rows match.
     * @param firstRow of the block, in the store.
     * @return whether they were collected; otherwise they are to be collected one by one.
     */
    public boolean collectAll(final BlockColumns of, final long firstRow) {
        return collector != null && present != null && present.equals(collecting) && collector.collectAll(of, firstRow);
    }

    /**
     * Collects rows of the block that match, unless there was no memory for the columns.
     *
     * @param of       the block's columns, which are there.
     * @param firstRow of the block, in the store.
     * @param rows     bitmap of rows that match, in which those that were collected are cleared.
     * @param from     first word of the bitmap.
     * @param to       word behind the last one.
     * @return count of rows collected.
     */
    public int collect(final BlockColumns of, final long firstRow, final long[] rows, final int from, final int to) {
        return collector == null || present == null || !present.equals(collecting)
                ? 0
                : collector.collect(of, firstRow, rows, from, to);
    }
}
