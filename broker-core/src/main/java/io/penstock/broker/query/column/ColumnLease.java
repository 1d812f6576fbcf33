package io.penstock.broker.query.column;

import io.penstock.format.FieldPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a store that a scan uses: none of them is dropped before it is {@linkplain #release released}. On the way it
 * frees what is left of those that were dropped. Confined to one query agent.
 */
public final class ColumnLease {
    private final StoreColumns columns;
    private final long nowNs;
    private final List<Column> held = new ArrayList<>();
    private boolean isMemoryShort;

    /**
     * Has no columns so far.
     *
     * @param columns of the store, of which the caller has an open snapshot.
     * @param nowNs   by the broker's nanosecond clock.
     */
    public ColumnLease(final StoreColumns columns, final long nowNs) {
        this.columns = columns;
        this.nowNs = nowNs;
    }

    /** All columns of the store. */
    public StoreColumns ofStore() {
        return columns;
    }

    /**
     * The columns of a block.
     *
     * @param block of rows.
     * @return for whoever takes them.
     */
    public BlockColumns block(final int block) {
        columns.sweep();
        return columns.block(block);
    }

    /**
     * Makes room, since there was no memory for a column.
     *
     * @return whether there may be some now, or soon; false for good once it was.
     */
    public boolean makeRoom() {
        isMemoryShort = isMemoryShort || !columns.makeRoom(nowNs);
        return !isMemoryShort;
    }

    /** Whether there was no memory for a column, and no room could be made. */
    public boolean isMemoryShort() {
        return isMemoryShort;
    }

    /**
     * The column of a field, which is made if need be.
     *
     * @param path of the field; no header.
     * @return null when there is none now.
     */
    public @Nullable Column column(final FieldPath path) {
        for (final Column column : held) {
            if (column.path().equals(path)) {
                return column;
            }
        }
        final Column column = columns.acquire(path, nowNs);
        if (column != null) {
            held.add(column);
        }
        return column;
    }

    /**
     * Why a field has no column now.
     *
     * @param path of the field.
     * @return for people.
     */
    public String whyNone(final FieldPath path) {
        return columns.whyNone(path, nowNs);
    }

    /**
     * Uses none of the columns any more. May be called again.
     *
     * @param atNs by the broker's nanosecond clock.
     */
    public void release(final long atNs) {
        for (final Column column : held) {
            columns.release(column, atNs);
        }
        held.clear();
    }
}
