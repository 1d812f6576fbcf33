package io.penstock.broker.query.column;

import io.penstock.broker.shard.store.ColumnMemory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Frees the parts of a store's columns that were dropped: pass by pass over the blocks, each for those that were dropped
 * when it began. A block that another agent has is left for another pass. One thread at a time drops and sweeps, between
 * {@link #tryTake} and {@link #release}; nobody waits. The writer takes it for good before it frees the store.
 */
final class ColumnSweep {
    private final BlockTable blocks;
    private final AtomicReference<@Nullable Column[]> columns;
    private final ColumnMemory memory;
    private final AtomicBoolean isTaken = new AtomicBoolean();

    /** Columns that were dropped and are still in their slots. */
    private final AtomicInteger pendingCount = new AtomicInteger();

    /** How often columns were condemned. */
    private final AtomicInteger condemnedCount = new AtomicInteger();

    /** All that were condemned up to this count were dropped. Written by whoever has taken this. */
    private final AtomicInteger settledCount = new AtomicInteger();

    /** Whether the writer has taken this for good. */
    private final AtomicBoolean isClosed = new AtomicBoolean();

    /** A bit for the slot of each column that this pass is for. */
    private final long[] swept = new long[StoreColumns.SLOT_COUNT_MAX / Long.SIZE];

    private boolean isBegun;
    private boolean hasMissed;
    private int nextBlock;

    ColumnSweep(final BlockTable blocks, final AtomicReference<@Nullable Column[]> columns, final ColumnMemory memory) {
        this.blocks = blocks;
        this.columns = columns;
        this.memory = memory;
    }

    boolean tryTake() {
        return !isTaken.getPlain() && isTaken.compareAndSet(false, true);
    }

    void release() {
        isTaken.setRelease(false);
    }

    /** Whether there is something to free, or to be dropped once nobody uses it. Any thread may ask. */
    boolean isPending() {
        // In this order: what is settled is pending before.
        return (condemnedCount.getAcquire() != settledCount.getAcquire() || pendingCount.getAcquire() > 0)
                && !isClosed.getAcquire();
    }

    /** Columns were condemned. Any thread. */
    void onCondemned() {
        condemnedCount.incrementAndGet();
    }

    /** A column was dropped. Called by whoever has taken this. */
    void onDropped() {
        memory.onDropped();
        pendingCount.incrementAndGet();
    }

    /** The writer has taken this for good. */
    void close() {
        isClosed.setRelease(true);
    }

    /** Looks at some blocks, unless another one does. Returns false when nothing can be freed now. */
    boolean trySweep(final int limit) {
        if (!tryTake()) {
            return !isClosed.getAcquire();
        }
        try {
            return sweep(limit);
        } finally {
            release();
        }
    }

    private boolean sweep(final int limit) {
        if (!isBegun && !begin()) {
            return false;
        }
        for (int i = 0; i < limit; i++) {
            final int block = blocks.next(nextBlock);
            if (block < 0) {
                end();
                return true;
            }
            nextBlock = block + 1;
            final BlockColumns of = blocks.block(block);
            if (of.tryTake()) {
                try {
                    of.drop(swept, memory);
                } finally {
                    of.release();
                }
            } else {
                hasMissed = true;
            }
        }
        return true;
    }

    private boolean begin() {
        dropCondemned();
        for (final Column column : columns.getAcquire()) {
            if (column != null && column.isDropped()) {
                swept[column.index / Long.SIZE] |= 1L << column.index;
                isBegun = true;
            }
        }
        nextBlock = 0;
        return isBegun;
    }

    /** Those that are used still are left for another pass. */
    private void dropCondemned() {
        // First, since others may be condemned meanwhile.
        final int asked = condemnedCount.getAcquire();
        if (asked == settledCount.getPlain()) {
            return;
        }
        boolean isLeft = false;
        for (final Column column : columns.getAcquire()) {
            if (column != null && column.isCondemned() && !column.isDropped()) {
                if (column.drop()) {
                    onDropped();
                } else {
                    isLeft = true;
                }
            }
        }
        if (!isLeft) {
            settledCount.setRelease(asked);
        }
    }

    /** If no block was missed, no block has a part of these any more: others may have their slots. */
    private void end() {
        int count = 0;
        while (!hasMissed) {
            final @Nullable Column[] present = columns.getAcquire();
            final @Nullable Column[] left = present.clone();
            count = 0;
            for (int i = 0; i < left.length; i++) {
                if ((swept[i / Long.SIZE] & 1L << i) != 0) {
                    left[i] = null;
                    count++;
                }
            }
            if (columns.compareAndSet(present, left)) {
                break;
            }
        }
        pendingCount.addAndGet(-count);
        isBegun = false;
        hasMissed = false;
        swept[0] = 0;
        swept[1] = 0;
    }
}
