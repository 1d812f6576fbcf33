package io.penstock.broker.shard.state;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.FollowFields;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.store.Snapshot;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.format.FieldReader;
import io.penstock.format.RecordReader;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Executes clients' commands on the state of a shard. Owned by the sequencer. */
public final class StateOperations {
    private final ShardState state;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);

    public StateOperations(final ShardState state) {
        this.state = state;
    }

    public void follow(
            final Interest interest,
            final @Nullable Filter filter,
            final FollowFields fields,
            final FollowOptions options,
            final DescriptorRing ring,
            final boolean held,
            final long nowNs) {
        final StateTopic topic = state.find(interest.topics().text());
        if (topic != null) {
            state.followers(topic, fields).add(interest, filter, fields, options, ring, held, nowNs);
        }
    }

    public boolean hasState(final TopicPattern wanted) {
        if (wanted.isLiteral()) {
            return state.find(wanted.text()) != null;
        }
        for (final StateTopic each : state.topics()) {
            if (wanted.matches(each.topic.name())) {
                return true;
            }
        }
        return false;
    }

    public void openSources(
            final TopicPattern wanted,
            final @Nullable List<byte[]> keys,
            final long sequence,
            final List<QuerySource> sources) {
        if (wanted.isLiteral()) {
            final StateTopic topic = state.find(wanted.text());
            if (topic != null) {
                sources.add(source(topic, keys, sequence));
            }
            return;
        }
        for (final StateTopic each : state.topics()) {
            if (wanted.matches(each.topic.name())) {
                sources.add(source(each, keys, sequence));
            }
        }
    }

    private QuerySource source(final StateTopic of, final @Nullable List<byte[]> keys, final long sequence) {
        final Snapshot snapshot = state.snapshots().open(sequence);
        return new QuerySource(of.topic, of.store, snapshot, keys == null ? null : rows(of, keys));
    }

    public void closeSources(final List<QuerySource> sources) {
        for (final QuerySource source : sources) {
            state.snapshots().close(source.snapshot());
        }
    }

    public int delete(final String topic, final byte[] keyBytes, final long timestampNs) {
        key.wrap(keyBytes);
        return delete(state.find(topic), key, keyBytes.length, timestampNs);
    }

    public int delete(
            final @Nullable StateTopic from, final DirectBuffer ofKey, final int length, final long timestampNs) {
        final int row = from == null ? StateStore.NO_ROW : from.store.find(ofKey, 0, length);
        // Rows of views are not deleted, whoever asks for it: what they are computed from would not have changed.
        if (from == null || row == StateStore.NO_ROW || from.rule.isView()) {
            return 0;
        }
        return state.delete(from, row, false, timestampNs) ? 1 : -1;
    }

    /**
     * Finds a record whose version of a sequence was found by a query. It is decided by the key, the sequence and the newest
     * version, and so everywhere alike.
     *
     * @return row; {@link StateStore#NO_ROW} when it is gone, or has changed and does not match the filter any more.
     */
    public int find(
            final @Nullable StateTopic of,
            final DirectBuffer ofKey,
            final int offset,
            final int length,
            final long sequence,
            final @Nullable Filter filter) {
        final int row = of == null ? StateStore.NO_ROW : of.store.find(ofKey, offset, length);
        if (of == null || row == StateStore.NO_ROW || of.rule.isView()) {
            return StateStore.NO_ROW;
        }
        final long newest = of.store.newest(row);
        return Version.sequence(newest) == sequence || matches(of, newest, filter) ? row : StateStore.NO_ROW;
    }

    /** Deletes a record that is there. Returns 1, or -1 when the log has no room now. */
    public int delete(final StateTopic from, final int row, final long timestampNs) {
        return state.delete(from, row, false, timestampNs) ? 1 : -1;
    }

    /** Checks a record that has changed since the query, which is rare enough to make a reader for it. */
    private boolean matches(final StateTopic topic, final long version, final @Nullable Filter filter) {
        if (filter == null) {
            return true;
        }
        final FieldReader reader = RecordReader.of(topic.topic.format(), filter.fields());
        Version.wrapContent(message, version);
        final int length = Version.messageLength(version);
        reader.headers(message, length, Version.headersLength(version));
        reader.wrap(message, 0, length);
        return filter.matches(reader);
    }

    private int[] rows(final StateTopic topic, final List<byte[]> keys) {
        final int[] rows = new int[keys.size()];
        for (int i = 0; i < rows.length; i++) {
            key.wrap(keys.get(i));
            rows[i] = topic.store.find(key, 0, key.capacity());
        }
        return rows;
    }
}
