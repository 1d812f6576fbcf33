package io.penstock.broker.query;

import io.penstock.broker.shard.store.Snapshot;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.Topic;
import org.jspecify.annotations.Nullable;

/**
 * One topic's records as of a sequence, for a query. Immutable. Its snapshot is open until the sequencer, which made
 * it, gets the command to close it.
 */
public final class QuerySource {
    private final Topic topic;
    private final StateStore store;
    private final Snapshot snapshot;
    private final int rowCount;
    private final int @Nullable [] rows;

    /**
     * Makes a source.
     *
     * @param topic    of the records.
     * @param store    that holds them.
     * @param snapshot to look at.
     * @param rows     the only ones asked for, {@link StateStore#NO_ROW} for none; or null for all.
     */
    public QuerySource(
            final Topic topic, final StateStore store, final Snapshot snapshot, final int @Nullable [] rows) {
        this.topic = topic;
        this.store = store;
        this.snapshot = snapshot;
        this.rows = rows;
        rowCount = store.rowCount();
    }

    public Topic topic() {
        return topic;
    }

    public Snapshot snapshot() {
        return snapshot;
    }

    StateStore store() {
        return store;
    }

    int count() {
        return rows == null ? rowCount : rows.length;
    }

    int row(final int index) {
        return rows == null ? index : rows[index];
    }
}
