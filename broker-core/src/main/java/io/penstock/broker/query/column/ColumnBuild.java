package io.penstock.broker.query.column;

import io.penstock.broker.shard.store.StateStore;
import io.penstock.format.FieldPath;
import io.penstock.format.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the columns of a store that are named, and brings them up to date, before a query wants them: from block to block,
 * some rows at a time. A block that a query has is left to that, and a field for which there is no memory is left out, the last
 * one first. While this is at work none of the columns is dropped. Confined to one query agent, which has a snapshot open.
 */
public final class ColumnBuild {
    /** Rows that are read in one go, about. */
    private static final int ROW_LIMIT = 1024;

    /** Blocks that are looked at in one go, most of which have not changed. */
    private static final int BLOCK_LIMIT = 256;

    /** How often it makes room for a block, before it leaves a field out. */
    private static final int TRY_COUNT_MAX = 64;

    private final StateStore store;
    private final StoreColumns columns;
    private final MessageFormat format;
    private final List<Column> held = new ArrayList<>();
    private final List<Column> wanted = new ArrayList<>();
    private final List<FieldPath> left = new ArrayList<>();
    private final int endBlock;
    private @Nullable ColumnReader reader;
    private int block;
    private int tryCount;
    private boolean hasMissed;

    /**
     * Begins at some block.
     *
     * @param store   of the rows.
     * @param columns of the store.
     * @param format  of the messages.
     * @param block   the first one.
     * @param nowNs   by the broker's nanosecond clock.
     */
    public ColumnBuild(
            final StateStore store,
            final StoreColumns columns,
            final MessageFormat format,
            final int block,
            final long nowNs) {
        this.store = store;
        this.columns = columns;
        this.format = format;
        this.block = block;
        endBlock = store.blockCount();
        for (final FieldPath path : columns.names()) {
            final Column column = columns.hold(path, nowNs);
            if (column == null) {
                left.add(path);
            } else {
                held.add(column);
            }
        }
        wanted.addAll(held);
        reader = newReader();
    }

    private @Nullable ColumnReader newReader() {
        return wanted.isEmpty() ? null : new ColumnReader(store, columns, wanted, format);
    }

    /**
     * Goes on.
     *
     * @param sequence of the snapshot.
     * @param nowNs    by the broker's nanosecond clock.
     * @return whether this was the last block.
     */
    public boolean work(final long sequence, final long nowNs) {
        for (int i = 0; i < BLOCK_LIMIT; i++) {
            final ColumnReader present = reader;
            if (present == null || block >= endBlock) {
                return true;
            }
            final long before = present.rowsRead();
            if (!work(present, sequence, nowNs) || present.rowsRead() - before >= ROW_LIMIT) {
                return false;
            }
        }
        return false;
    }

    /** Does some work on the present block; false when it is to be looked at again. */
    private boolean work(final ColumnReader by, final long sequence, final long nowNs) {
        final BlockColumns of = columns.block(block);
        if (!of.tryTake()) {
            hasMissed = true;
            onBlock();
            return true;
        }
        boolean hasRoom = false;
        boolean isRead = false;
        try {
            hasRoom = by.ensure(of);
            isRead = hasRoom && by.read(of, block, sequence, ROW_LIMIT);
        } finally {
            of.release();
        }
        if (isRead) {
            onBlock();
        } else if (!hasRoom && (tryCount++ >= TRY_COUNT_MAX || !columns.makeRoom(nowNs))) {
            left.add(wanted.remove(wanted.size() - 1).path());
            reader = newReader();
        }
        return isRead;
    }

    private void onBlock() {
        block++;
        tryCount = 0;
    }

    /** The next block. */
    public int block() {
        return block;
    }

    /** Whether it has left a block to a query. */
    public boolean hasMissed() {
        return hasMissed;
    }

    /**
     * Fields for which there was no memory, or no place.
     *
     * @return in no order.
     */
    public List<FieldPath> left() {
        return left;
    }

    /**
     * Fields most of whose texts have no room, so that their columns decide little.
     *
     * @return in their order.
     */
    public List<FieldPath> ofNoUse() {
        return held.stream().filter(Column::isOfNoUse).map(Column::path).toList();
    }

    /** The memory of the columns, in bytes. */
    public long length() {
        return held.stream().mapToLong(Column::length).sum();
    }

    /** Uses the columns no more. */
    public void close() {
        held.forEach(Column::letGo);
        held.clear();
    }
}
