package io.penstock.broker.shard.state;

import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateStore;
import java.util.ArrayDeque;

/**
 * The stores of topics that were deleted, until their memory is free: readers that began before may look at them still.
 * Owned by the sequencer, which frees some of it at a time.
 */
public final class DeletedStores implements AutoCloseable {
    /** What a store without records counts for. */
    private static final int EMPTY_COST = 16;

    private final Snapshots snapshots;

    /** In the order in which they were deleted. */
    private final ArrayDeque<Deleted> stores = new ArrayDeque<>();

    /** A store, and the sequence of the record that deleted its topic. */
    private record Deleted(StateStore store, long sequence) {}

    /** @param snapshots of the shard. */
    DeletedStores(final Snapshots snapshots) {
        this.snapshots = snapshots;
    }

    public boolean isEmpty() {
        return stores.isEmpty();
    }

    /** No reader looks at a store from a sequence on. */
    public void add(final StateStore store, final long sequence) {
        stores.add(new Deleted(store, sequence));
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
            // Each step counts alike: there are few in the store of a topic without records.
            if (stores.element().store.free(limit - count)) {
                stores.remove();
                count += EMPTY_COST;
            } else {
                return limit;
            }
        }
        return count;
    }

    @Override
    public void close() {
        for (final Deleted each : stores) {
            each.store.close();
        }
        stores.clear();
    }
}
