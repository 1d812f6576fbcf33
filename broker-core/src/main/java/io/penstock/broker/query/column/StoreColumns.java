package io.penstock.broker.query.column;

import io.penstock.broker.filter.syntax.CanonicalText;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.monitor.ColumnInfo;
import io.penstock.broker.shard.store.ColumnMemory;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.StoreAttachment;
import io.penstock.broker.topic.Topic;
import io.penstock.format.FieldPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one store, made by the query agents that want them, and freed with the store. Any thread with an open
 * snapshot of the store may use it; its memory is bounded for all stores of a shard. When there is none left, columns that
 * were not used for a while give way, and otherwise nothing new is made.
 *
 * <p><b>Dropping.</b> A column that nobody uses is dropped by one compare-and-set of its users' count; then no part of it is
 * made any more, and {@link ColumnSweep} frees those that there are, block by block. Whoever needs memory does that for all
 * stores of the shard, also for such of which it has no snapshot: so the writer begins to free the store only when no
 * thread drops or sweeps. An administrator may drop a column that is used: no other scan begins to use it then, and it goes
 * once the last one is done.
 *
 * <p><b>Names.</b> Columns whose fields are {@linkplain #name named} do not give way, and are made before a query wants them.
 */
public final class StoreColumns implements StoreAttachment {
    /** The most columns of a store. */
    static final int COLUMN_COUNT_MAX = 64;

    /** With those that were dropped and still have parts. */
    static final int SLOT_COUNT_MAX = 128;

    /** A column that was used since then does not give way. */
    static final long IDLE_NS_MIN = TimeUnit.SECONDS.toNanos(10);

    /** Blocks that are swept at a time, by the way. */
    private static final int SWEEP_LIMIT = 64;

    private final ColumnMemory memory;
    private final BlockTable blocks = new BlockTable();
    private final AtomicReference<@Nullable Column[]> columns = new AtomicReference<>(new Column[0]);
    private final ColumnSweep sweep;
    private final BarredFields barred = new BarredFields();

    /** Fields whose columns do not give way. */
    private final AtomicReference<List<FieldPath>> names = new AtomicReference<>(List.of());

    /** While it is freed: whether no other thread drops or sweeps any more. */
    private boolean isClosed;

    private StoreColumns(final ColumnMemory memory) {
        this.memory = memory;
        sweep = new ColumnSweep(blocks, columns, memory);
    }

    /**
     * The columns of a store.
     *
     * @param store with an open snapshot of the caller.
     * @return null when there is no memory for any.
     */
    public static @Nullable StoreColumns of(final StateStore store) {
        final StoreColumns columns = (StoreColumns) store.attachment(StoreColumns::new);
        return columns.memory.lengthMax() == 0 ? null : columns;
    }

    /** The memory of all columns of the shard. Any thread. */
    public ColumnMemory memory() {
        return memory;
    }

    /**
     * Has the columns of some fields not give way. Those of other fields do from now on.
     *
     * @param fields each once, in the order in which they are to have memory.
     */
    public void name(final List<FieldPath> fields) {
        names.setRelease(List.copyOf(fields));
    }

    /**
     * Fields whose columns do not give way.
     *
     * @return in their order.
     */
    public List<FieldPath> names() {
        return names.getAcquire();
    }

    /** The memory of the columns that are named, in bytes. Any thread. */
    public long namedLength() {
        long length = 0;
        for (final Column column : columns.getAcquire()) {
            length += column != null && isNamed(column) ? column.length() : 0;
        }
        return length;
    }

    /**
     * Fields that are named though most of their texts have no room, so that their columns decide little. Any thread.
     *
     * @return in no order.
     */
    public List<FieldPath> namedOfNoUse() {
        final List<FieldPath> fields = new ArrayList<>();
        for (final Column column : columns.getAcquire()) {
            if (column != null && isNamed(column) && column.isOfNoUse()) {
                fields.add(column.path());
            }
        }
        return fields;
    }

    private boolean isNamed(final Column column) {
        return !column.isCondemned() && names().contains(column.path());
    }

    /** The column of a field for a scan, which then uses it; null when there is none now. */
    @Nullable
    Column acquire(final FieldPath path, final long nowNs) {
        final Column column = hold(path, nowNs);
        if (column != null) {
            column.onScan(nowNs);
        }
        return column;
    }

    /** The column of a field, which the caller then uses for anything but a scan; null when there is none now. */
    @Nullable
    Column hold(final FieldPath path, final long nowNs) {
        while (true) {
            final @Nullable Column[] present = columns.getAcquire();
            int liveCount = 0;
            int slot = present.length;
            for (int i = present.length - 1; i >= 0; i--) {
                final Column column = present[i];
                if (column == null) {
                    slot = i;
                } else if (column.path().equals(path) && column.hold()) {
                    return column;
                } else if (!column.isDropped()) {
                    liveCount++;
                }
            }
            if ((barred.has(path, nowNs) && !names().contains(path))
                    || slot == SLOT_COUNT_MAX
                    || (liveCount >= COLUMN_COUNT_MAX && !dropOldest(nowNs))) {
                return null;
            }
            if (liveCount < COLUMN_COUNT_MAX) {
                final @Nullable Column[] more = Arrays.copyOf(present, Math.max(present.length, slot + 1));
                final Column made = new Column(slot, path, memory, nowNs);
                more[slot] = made;
                memory.addHolder(this);
                if (columns.compareAndSet(present, more)) {
                    return made;
                }
            }
        }
    }

    /** A scan uses a column no more. */
    void release(final Column column, final long nowNs) {
        if (column.release(nowNs) && column.isOfNoUse() && !isKept(column) && sweep.tryTake()) {
            try {
                if (column.drop()) {
                    barred.add(column.path(), nowNs);
                    sweep.onDropped();
                }
            } finally {
                sweep.release();
            }
        }
    }

    /** Whether a column does not give way: it is named, or goes by itself. */
    private boolean isKept(final Column column) {
        return column.isCondemned() || isNamed(column);
    }

    /**
     * Drops columns: those that are used go when they are not any more. Their fields are not named any more then. Any
     * thread; to be followed by {@link #sweepDropped}.
     *
     * @param field whose column goes; null for those of all fields.
     * @return count of columns.
     */
    public int drop(final @Nullable FieldPath field) {
        int count = 0;
        for (final Column column : columns.getAcquire()) {
            if (column != null
                    && (field == null || column.path().equals(field))
                    && !column.isDropped()
                    && !column.isCondemned()) {
                // First, so that nobody makes it ahead again.
                unname(column.path());
                count += column.condemn() ? 1 : 0;
            }
        }
        if (count > 0) {
            sweep.onCondemned();
        }
        return count;
    }

    private void unname(final FieldPath field) {
        names.updateAndGet(
                present -> present.stream().filter(each -> !each.equals(field)).toList());
    }

    /**
     * Frees some of what was dropped. Any thread.
     *
     * @return false when nothing can be freed now, and perhaps later.
     */
    public boolean sweepDropped() {
        return sweep.isPending() && sweep.trySweep(SWEEP_LIMIT);
    }

    /** Whether there is something left to free, now or later. Any thread. */
    public boolean isSweepPending() {
        return sweep.isPending();
    }

    /**
     * Lists the columns. Any thread.
     *
     * @param topic of the store.
     * @param nowNs by the broker's nanosecond clock.
     * @return those that are there, those that are about to go included.
     */
    public List<ColumnInfo> list(final Topic topic, final long nowNs) {
        final List<ColumnInfo> all = new ArrayList<>();
        for (final Column column : columns.getAcquire()) {
            if (column != null && !column.isDropped()) {
                all.add(new ColumnInfo(
                        topic,
                        nameOf(column.path()),
                        stay(column),
                        column.length(),
                        column.rowCount(),
                        column.texts().count(),
                        column.scanCount(),
                        column.scanCount() == 0 ? -1 : Math.max(0, nowNs - column.usedNs())));
            }
        }
        return all;
    }

    private ColumnInfo.Stay stay(final Column column) {
        if (column.isCondemned()) {
            return ColumnInfo.Stay.GOING;
        }
        return isNamed(column) ? ColumnInfo.Stay.NAMED : ColumnInfo.Stay.UNNAMED;
    }

    private static String nameOf(final FieldPath path) {
        return CanonicalText.of(new Node.Field(path));
    }

    /** Fields as a configuration names them, for people. */
    public static String text(final List<FieldPath> fields) {
        return fields.stream().map(StoreColumns::nameOf).collect(Collectors.joining(", "));
    }

    /** Why a field has no column now, for people. */
    String whyNone(final FieldPath path, final long nowNs) {
        return barred.has(path, nowNs) ? "too many different texts" : "too many other fields have columns";
    }

    /**
     * The columns of a block.
     *
     * @param block of {@link StateStore#BLOCK_LENGTH} rows.
     * @return for whoever takes them.
     */
    BlockColumns block(final int block) {
        return blocks.block(block);
    }

    /** Frees parts of columns of this store that were dropped, if there are any. */
    void sweep() {
        if (sweep.isPending()) {
            sweep.trySweep(SWEEP_LIMIT);
        }
    }

    /**
     * Makes room for a column for which there was no memory: goes some way to free what was dropped, or drops the column of
     * the shard that was used longest ago, if that is a while.
     *
     * @param nowNs by the broker's nanosecond clock.
     * @return whether there may be memory now, or soon.
     */
    boolean makeRoom(final long nowNs) {
        for (final StoreAttachment each : memory.holders()) {
            final ColumnSweep other = ((StoreColumns) each).sweep;
            if (other.isPending() && other.trySweep(SWEEP_LIMIT)) {
                return true;
            }
        }
        StoreColumns oldestOf = null;
        long oldestNs = nowNs - IDLE_NS_MIN;
        for (final StoreAttachment each : memory.holders()) {
            final Column column = ((StoreColumns) each).oldest(oldestNs);
            if (column != null) {
                oldestOf = (StoreColumns) each;
                oldestNs = column.usedNs() - 1;
            }
        }
        return oldestOf != null && oldestOf.dropOldest(nowNs);
    }

    /** Drops the column that was used longest ago, if that is a while. */
    private boolean dropOldest(final long nowNs) {
        if (!sweep.tryTake()) {
            return false;
        }
        try {
            final Column column = oldest(nowNs - IDLE_NS_MIN);
            final boolean isDropped = column != null && column.drop();
            if (isDropped) {
                sweep.onDropped();
            }
            return isDropped;
        } finally {
            sweep.release();
        }
    }

    /** Of the columns that nobody uses the one that was used longest ago, if that is not after a time. */
    private @Nullable Column oldest(final long untilNs) {
        Column oldest = null;
        long oldestNs = untilNs;
        for (final Column column : columns.getAcquire()) {
            if (column != null
                    && !column.isDropped()
                    && !column.isUsed()
                    && !isKept(column)
                    && column.usedNs() - oldestNs <= 0) {
                oldest = column;
                oldestNs = column.usedNs();
            }
        }
        return oldest;
    }

    @Override
    public int free(final int limit) {
        // Whoever drops or sweeps is done after some blocks; from then on nobody does.
        if (!isClosed && !sweep.tryTake()) {
            return limit;
        }
        isClosed = true;
        sweep.close();
        final int count = blocks.free(limit, memory);
        if (count < limit) {
            for (final Column column : columns.getAndSet(new Column[0])) {
                if (column != null) {
                    column.close();
                }
            }
            memory.removeHolder(this);
        }
        return count;
    }
}
