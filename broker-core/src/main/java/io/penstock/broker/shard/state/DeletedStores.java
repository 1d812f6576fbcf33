package io.penstock.broker.shard.state;

import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateStore;
import java.util.ArrayDeque;

/**
 * The stores of topics that were deleted, until their memory is free: readers that began before may look at them still.
 * Owned by the sequencer, which frees some of it at a time.
 */
public final class DeletedStores implements AutoCloseable {
    /** The cost that counts for a store without records. */
    private static final int EMPTY_COST = 16;

    private static final long NONE = Long.MIN_VALUE;

    private final Snapshots snapshots;

    /** Stores in the order in which they were deleted. */
    private final ArrayDeque<Deleted> stores = new ArrayDeque<>();

    /** When the first of them was deleted that has records. */
    private long firstSequence = NONE;

    /** A store, and the sequence of the record that deleted its topic. */
    private record Deleted(StateStore store, long sequence) {
        boolean hasRecords() {
            return store.rowCount() > 0;
        }
    }

    /** @param snapshots of the shard. */
    DeletedStores(final Snapshots snapshots) {
        this.snapshots = snapshots;
    }

    public boolean isEmpty() {
        return stores.isEmpty();
    }

    /** No reader looks at a store from a sequence on. */
    public void add(final StateStore store, final long sequence) {
        final Deleted added = new Deleted(store, sequence);
        stores.add(added);
        if (firstSequence == NONE && added.hasRecords()) {
            firstSequence = sequence;
        }
    }

    /** Whether there is something to free now. */
    public boolean isDue() {
        final Deleted first = stores.peek();
        return first != null && snapshots.oldest() >= first.sequence;
    }

    /** Frees some memory, if there is some that nobody looks at. Returns work done. */
    public int free(final int limit) {
        int count = 0;
        while (count < limit && isDue()) {
            final StateStore store = stores.element().store;
            final int freed = store.free(limit - count);
            if (!store.isFreed()) {
                return count + freed;
            }
            if (stores.remove().sequence == firstSequence) {
                firstSequence = findFirst();
            }
            count += Math.max(EMPTY_COST, freed);
        }
        return count;
    }

    private long findFirst() {
        for (final Deleted each : stores) {
            if (each.hasRecords()) {
                return each.sequence;
            }
        }
        return NONE;
    }

    /**
     * Memory is needed: makes the readers of the first deleted store with memory end. Returns false when there are
     * none, or when they were notified before.
     */
    boolean expireReaders() {
        return firstSequence != NONE && snapshots.expireBefore(firstSequence) > 0;
    }

    @Override
    public void close() {
        for (final Deleted each : stores) {
            each.store.close();
        }
        stores.clear();
    }
}
