package io.penstock.broker.shard.state;

import io.penstock.broker.query.join.JoinValue;
import io.penstock.broker.shard.state.join.ChangedRows;
import io.penstock.broker.shard.state.join.FormerValues;
import io.penstock.broker.shard.state.join.RowsByValue;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.format.FieldPath;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One of the two topics of a join: which of its rows have which value, and which have changed. Owned by the sequencer.
 */
final class JoinSide {
    private final JoinView view;
    private final StateTopic topic;
    private final JoinValue value;
    private final RowsByValue rows = new RowsByValue();
    private final ChangedRows changed = new ChangedRows();
    private final @Nullable FormerValues former;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);

    /**
     * Knows no rows yet.
     *
     * @param view   that this is a topic of.
     * @param topic  whose rows these are.
     * @param paths  of the fields by which they are paired.
     * @param former where the values are noted that rows have no more; null when nobody asks for them.
     */
    JoinSide(
            final JoinView view,
            final StateTopic topic,
            final List<FieldPath> paths,
            final @Nullable FormerValues former) {
        this.view = view;
        this.topic = topic;
        this.former = former;
        value = new JoinValue(topic.topic.format(), paths);
    }

    JoinView view() {
        return view;
    }

    String name() {
        return topic.topic.name();
    }

    /** The value that was read last. */
    JoinValue value() {
        return value;
    }

    ChangedRows changed() {
        return changed;
    }

    /** A row has another version; 0 is none. What it was may be freed already. */
    void onChange(final int row, final long after) {
        view.restart();
        index(row, after);
    }

    private void index(final int row, final long version) {
        final boolean hasValue = version != 0 && read(version);
        final int hash = hasValue ? value.hash() : 0;
        if (former != null && rows.isIn(row) && !(hasValue && rows.hash(row) == hash)) {
            former.add(rows.hash(row));
        }
        if (hasValue) {
            rows.put(row, hash);
        } else {
            rows.remove(row);
        }
        changed.add(row);
    }

    /** Makes the rows known that were there before the join was, as if they had changed one after the other. */
    void indexAll() {
        final StateStore store = topic.store;
        for (final int row : RowsInOrder.of(store, row -> true)) {
            index(row, store.newest(row));
        }
    }

    /** The newest version of a row; 0 when it has none. */
    long newest(final int row) {
        return topic.store.newest(row);
    }

    /** Reads the value of a version. Returns false when it has none. */
    boolean read(final long version) {
        Version.wrapMessage(message, version);
        return value.read(message, 0, message.capacity());
    }

    /** The first row that may have the value that another record has. */
    int first(final JoinValue other) {
        return first(other.hash());
    }

    /** The first row that may have a value with a hash. */
    int first(final int hash) {
        return rows.first(hash);
    }

    /** The next row after one that may have the same value. */
    int next(final int row) {
        return rows.next(row);
    }

    /** Whether a row has the value that another record has. */
    boolean has(final int row, final JoinValue other) {
        return read(newest(row)) && value.isEqualTo(other);
    }

    /** The first row that has the value that another record has. */
    int find(final JoinValue other) {
        int row = first(other);
        while (row != RowsByValue.NONE && !has(row, other)) {
            row = next(row);
        }
        return row;
    }
}
