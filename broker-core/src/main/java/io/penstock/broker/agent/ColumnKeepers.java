package io.penstock.broker.agent;

import io.penstock.broker.concurrent.EngineWakers;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.monitor.ColumnInfo;
import io.penstock.broker.query.column.StoreColumns;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicRules;
import io.penstock.format.FieldPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/** The columns of all shards: who keeps them, what there are, and what is to go. */
final class ColumnKeepers {
    private final List<Sequencer> sequencers;
    private final List<QueryAgent> queryAgents;
    private final List<ColumnKeeper> keepers = new ArrayList<>();
    private final NanoClock clock;

    ColumnKeepers(final List<Sequencer> sequencers, final List<QueryAgent> queryAgents, final NanoClock clock) {
        this.clock = clock;
        this.sequencers = List.copyOf(sequencers);
        this.queryAgents = List.copyOf(queryAgents);
    }

    /** Deals the shards to the query agents. Called before these start. */
    void open(
            final TopicRules rules, final EventLog events, final IntConsumer wakeSequencer, final EngineWakers wakers) {
        final int count = queryAgents.size();
        for (int i = 0; i < count; i++) {
            final int agent = i;
            final List<Sequencer> dealt = IntStream.range(0, sequencers.size())
                    .filter(shard -> shard % count == agent)
                    .mapToObj(sequencers::get)
                    .toList();
            final ColumnKeeper keeper =
                    new ColumnKeeper(dealt, rules, clock, events, wakeSequencer, wakers.queryAgents()[i]);
            queryAgents.get(i).columns(keeper);
            keepers.add(keeper);
        }
    }

    List<QueryAgent> queryAgents() {
        return queryAgents;
    }

    /** Lists the columns of all topics, or of one. Any thread. */
    List<ColumnInfo> list(final String topicName) {
        final long nowNs = clock.nanoTime();
        final List<ColumnInfo> all = new ArrayList<>();
        for (final Sequencer sequencer : sequencers) {
            for (final Topic topic : topics(sequencer, topicName)) {
                final StoreColumns columns = columns(sequencer, topic);
                if (columns != null) {
                    final List<ColumnInfo> some = columns.list(topic, nowNs);
                    some.sort(Comparator.comparing(ColumnInfo::field));
                    all.addAll(some);
                }
            }
        }
        return all;
    }

    /** Drops the column of a field of a topic, or all of its columns. Returns how many. Any thread. */
    int drop(final String topicName, final @Nullable FieldPath field) {
        int count = 0;
        for (int shard = 0; shard < sequencers.size(); shard++) {
            for (final Topic topic : topics(sequencers.get(shard), topicName)) {
                final StoreColumns columns = columns(sequencers.get(shard), topic);
                final int droppedCount = columns == null ? 0 : columns.drop(field);
                if (columns != null && droppedCount > 0) {
                    keepers.get(shard % keepers.size()).sweep(columns);
                    count += droppedCount;
                }
            }
        }
        return count;
    }

    private static List<Topic> topics(final Sequencer sequencer, final String name) {
        if (name.isEmpty()) {
            return List.of(sequencer.shard().topics().snapshot());
        }
        final Topic topic = sequencer.shard().topics().find(name);
        return topic == null ? List.of() : List.of(topic);
    }

    private static @Nullable StoreColumns columns(final Sequencer sequencer, final Topic topic) {
        final StateStore store =
                topic.state() == null ? null : sequencer.shard().stateOf(topic.name());
        return store == null ? null : (StoreColumns) store.attachment();
    }
}
