package io.penstock.broker.query;

import io.penstock.broker.query.block.QueryBlocks;
import io.penstock.broker.shard.store.Snapshot;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.Topic;
import io.penstock.format.FieldSelection;
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
    private final String condition;
    private final FieldSelection hidden;

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
        condition = "";
        hidden = FieldSelection.NONE;
    }

    private QuerySource(final QuerySource of, final String condition, final FieldSelection hidden) {
        topic = of.topic;
        store = of.store;
        snapshot = of.snapshot;
        rows = of.rows;
        rowCount = of.rowCount;
        this.condition = condition;
        this.hidden = hidden;
    }

    /**
     * The same source, for a client that may not see all of its records.
     *
     * @param of the records that it may see: text in canonical form; empty for all of them.
     * @return with the same snapshot.
     */
    public QuerySource limitedTo(final String of) {
        return of.equals(condition) ? this : new QuerySource(this, of, hidden);
    }

    /**
     * The same source, for a client that does not see all fields of its records.
     *
     * @param fields that are cut out of what it is sent.
     * @return with the same snapshot.
     */
    public QuerySource hiding(final FieldSelection fields) {
        return fields.equals(hidden) ? this : new QuerySource(this, condition, fields);
    }

    /** Fields that are cut out of what is sent. */
    public FieldSelection hidden() {
        return hidden;
    }

    public Topic topic() {
        return topic;
    }

    public Snapshot snapshot() {
        return snapshot;
    }

    /** Of the records that are looked at, beside what the query asks for; empty for all of them. */
    public String condition() {
        return condition;
    }

    /** Whether there may be records of the topic that the query is not to show. */
    public boolean isLimited() {
        return !condition.isEmpty();
    }

    public StateStore store() {
        return store;
    }

    /** Whether all rows of the topic are looked at. */
    boolean isWhole() {
        return rows == null;
    }

    /** Its rows as a query takes them in blocks. */
    QueryBlocks.Rows blockRows() {
        return new QueryBlocks.Rows(rows == null ? store : null, count());
    }

    int count() {
        return rows == null ? rowCount : rows.length;
    }

    int row(final int index) {
        return rows == null ? index : rows[index];
    }
}
