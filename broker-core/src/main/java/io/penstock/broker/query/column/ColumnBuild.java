package io.penstock.broker.query.column;

import io.penstock.broker.shard.store.StateStore;
import io.penstock.format.FieldPath;
import io.penstock.format.MessageFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the rows of a store that makes the columns that are named, and brings them up to date, before a query wants
 * them: from block to block, some rows at a time. A block that a query has is left to that. It is all fields at once when there
 * is memory for all, so that each record is read once, and else one after the other, so that the first ones get what there is.
 * Between {@link #begin} and {@link #pause} none of the columns is dropped. Confined to one query agent, which has a snapshot
 * open between the two.
 */
public final class ColumnBuild {
    /** Rows that are read in one go, about, unless they are long. */
    private static final int ROW_LIMIT = 1024;

    /** The same for the longest ones. */
    private static final int ROW_LIMIT_MIN = 64;

    /** Bytes of messages that are read in one go, about. */
    private static final int READ_LENGTH = 1 << 20;

    /** Blocks that are looked at in one go, most of which have not changed. */
    private static final int BLOCK_LIMIT = 256;

    /** How often it makes room for a block, before it leaves fields out. */
    private static final int TRY_COUNT_MAX = 64;

    private final StateStore store;
    private final StoreColumns columns;
    private final MessageFormat format;

    /** Fields that are read together, the present ones first. */
    private final ArrayDeque<List<FieldPath>> groups = new ArrayDeque<>();

    private final List<Column> held = new ArrayList<>();
    private final List<FieldPath> left = new ArrayList<>();
    private final int endBlock;
    private final int rowLimit;
    private @Nullable ColumnReader reader;
    private int block;
    private int tryCount;
    private boolean hasMissed;

    /**
     * Has all before it.
     *
     * @param store   of the rows.
     * @param columns of the store.
     * @param format  of the messages.
     */
    public ColumnBuild(final StateStore store, final StoreColumns columns, final MessageFormat format) {
        this.store = store;
        this.columns = columns;
        this.format = format;
        endBlock = store.blockCount();
        final long messageLength = Math.max(1, store.messageLength() / Math.max(1, store.liveCount()));
        rowLimit = (int) Math.min(ROW_LIMIT, Math.max(ROW_LIMIT_MIN, READ_LENGTH / messageLength));
        final List<FieldPath> names = columns.names();
        final long length = endBlock * (BlockColumns.LENGTH + names.size() * ColumnPart.LENGTH_MIN);
        if (length - columns.namedLength()
                <= columns.memory().lengthMax() - columns.memory().length()) {
            groups.add(names);
        } else {
            names.forEach(name -> groups.add(List.of(name)));
        }
    }

    /**
     * Begins, or goes on. When that fails, it uses no column.
     *
     * @param nowNs by the broker's nanosecond clock.
     */
    public void begin(final long nowNs) {
        try {
            hold(nowNs);
            reader = held.isEmpty() ? null : new ColumnReader(store, columns, held, format);
        } catch (final RuntimeException | Error e) {
            pause();
            throw e;
        }
    }

    private void hold(final long nowNs) {
        final List<FieldPath> names = columns.names();
        for (final FieldPath path : groups.isEmpty() ? List.<FieldPath>of() : groups.element()) {
            // Others were dropped meanwhile.
            final Column column = names.contains(path) ? columns.hold(path, nowNs) : null;
            if (column != null) {
                held.add(column);
            } else if (names.contains(path)) {
                leave(path);
            }
        }
    }

    /**
     * Goes on with the present fields. Called after {@link #begin}.
     *
     * @param sequence of the snapshot.
     * @param nowNs    by the broker's nanosecond clock.
     * @return false when there is nothing left to do with these fields.
     */
    public boolean work(final long sequence, final long nowNs) {
        final ColumnReader present = reader;
        final long endRows = present == null ? 0 : present.rowsRead() + rowLimit;
        for (int i = 0; i < BLOCK_LIMIT; i++) {
            if (present == null || block >= endBlock) {
                onGroup();
                return false;
            }
            if (!work(present, sequence, nowNs) || present.rowsRead() >= endRows) {
                break;
            }
        }
        return reader != null;
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
            isRead = hasRoom && by.read(of, block, sequence, rowLimit);
        } finally {
            of.release();
        }
        if (isRead) {
            onBlock();
        } else if (!hasRoom && (tryCount++ >= TRY_COUNT_MAX || !columns.makeRoom(nowNs))) {
            held.forEach(column -> leave(column.path()));
            reader = null;
            // At once: the pass may go on with the next snapshot.
            onGroup();
        }
        return isRead;
    }

    private void leave(final FieldPath path) {
        if (!left.contains(path)) {
            left.add(path);
        }
    }

    /** No more is done with the present fields. */
    private void onGroup() {
        groups.poll();
        block = 0;
        tryCount = 0;
    }

    private void onBlock() {
        block++;
        tryCount = 0;
    }

    /** Uses the columns no more, before the snapshot is closed. */
    public void pause() {
        held.forEach(Column::letGo);
        held.clear();
        reader = null;
    }

    /** Whether all fields of all blocks were looked at. */
    public boolean isDone() {
        return groups.isEmpty();
    }

    /** Whether it has left a block to a query. */
    public boolean hasMissed() {
        return hasMissed;
    }

    /**
     * Fields for which there was no memory in some blocks, or no place.
     *
     * @return each once, in their order.
     */
    public List<FieldPath> left() {
        return left;
    }
}
