package io.penstock.broker.shard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.ReadyBits;
import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.log.LogAppender;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.log.PublisherTable;
import io.penstock.broker.shard.log.Reclaim;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.match.Descriptor;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.FollowFields;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.state.ShardState;
import io.penstock.broker.shard.state.StateRefusal;
import io.penstock.broker.shard.store.StateSettings;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.broker.topic.TopicTable;
import io.penstock.format.FieldSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/** A sequencer of topics with state that a test drives, without anything around it. */
final class StateShard implements AutoCloseable {
    private static final int SEGMENT_LENGTH = 64 * 1024;

    final CachedNanoClock clock = new CachedNanoClock();
    final Sequencer sequencer;
    final ShardState state;
    final List<Topic> topics = new ArrayList<>();
    final DescriptorRing ring = new DescriptorRing(64 * 1024, new ReadyBits(1, () -> {}), 0);
    private final BrokerCounters counters = new BrokerCounters(64);
    private final Publication publication = new Publication();
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[Integer.BYTES]);
    private final UnsafeBuffer message = new UnsafeBuffer("{\"price\":1}".getBytes(UTF_8));
    private final AtomicCounter demanded;
    private final AtomicCounter released;

    /** Counts of records that were enqueued, by feed and kind of delivery. */
    final Map<String, Integer> enqueued = new TreeMap<>();

    /** Descriptors other than runs: feed and type. */
    final List<String> reported = new ArrayList<>();

    /** Messages that were refused. */
    int refusedCount;

    private final ControlledMessageHandler onDescriptor = (type, buffer, index, length) -> {
        if (type == Descriptor.TYPE_RUN) {
            enqueued.merge(
                    Descriptor.subscription(buffer, index) + " " + Descriptor.kind(buffer, index),
                    Descriptor.recordCount(buffer, index),
                    Integer::sum);
        } else {
            reported.add(Descriptor.subscription(buffer, index) + " " + type);
        }
        return ControlledMessageHandler.Action.CONTINUE;
    };

    StateShard(final int topicCount) {
        this(topicCount, SEGMENT_LENGTH, 1 << 26);
    }

    StateShard(final int topicCount, final int segmentLength, final long memoryLength) {
        clock.update(1);
        final ShardCounters own = new ShardCounters(counters, 0, 1);
        demanded = own.demanded();
        released = own.released()[0];
        final Nobody nobody = new Nobody();
        final Shard made = new Shard(
                0,
                clock::nanoTime,
                new LogAppender(
                        new LogWindow(segmentLength, 4),
                        new Reclaim(() -> {}, own.demanded(), own.released()),
                        own.published()),
                own,
                // One more, for a view.
                new TopicTable(topicCount + 1),
                new PublisherTable(1),
                new StateSettings(
                        memoryLength, (int) Math.min(1 << 20, memoryLength >> 3), 1 << 20, 1024, 0, 1 << 20, 0),
                nobody::onRefused);
        sequencer = new Sequencer(made, clock::nanoTime, nobody);
        state = sequencer.shard().state();
        for (int i = 0; i < topicCount; i++) {
            Topic topic;
            while ((topic = sequencer
                            .shard()
                            .commands()
                            .createTopic("topic" + i, "json", StateRule.of(StateRule.PUBLISHER_KEY, 0)))
                    == null) {
                cycle();
            }
            topics.add(topic);
        }
        cycle();
    }

    void publish(final int topic, final int keyNumber, final long expirationNs) {
        publish(topic, keyNumber, expirationNs, message);
    }

    void publish(final int topic, final int keyNumber, final long expirationNs, final DirectBuffer message) {
        key.putInt(0, keyNumber);
        publication
                .of(topics.get(topic).id(), 0, 0)
                .payload(message, 0, message.capacity())
                .record(key, 0, key.capacity(), false, expirationNs)
                .from(0, 0);
        while (!sequencer.shard().apply(publication)) {
            cycle();
        }
    }

    void follow(final int topic, final long feed, final @Nullable FollowOptions options) {
        follow(topic, feed, feed, options, "");
    }

    void follow(
            final int topic,
            final long feed,
            final long session,
            final @Nullable FollowOptions options,
            final String text) {
        final Filter filter =
                text.isEmpty() ? null : FilterCompiler.compile(text, new FieldSet(), FilterLimits.DEFAULTS);
        final TopicPattern pattern = TopicPattern.literal(topics.get(topic).name());
        sequencer
                .shard()
                .commands()
                .subscribe(
                        new Interest(feed, session, 0, pattern, filter == null ? "" : filter.text(), options),
                        filter,
                        options == null ? null : FollowFields.of(topics.get(topic), options),
                        ring,
                        false);
    }

    /** Deletes a topic, and makes another one of its name. */
    void replace(final int topic) {
        delete(topic);
        Topic made;
        while ((made = sequencer
                        .shard()
                        .commands()
                        .createTopic("topic" + topic, "json", StateRule.of(StateRule.PUBLISHER_KEY, 0)))
                == null) {
            cycle();
        }
        topics.set(topic, made);
        cycle();
    }

    void delete(final int topic) {
        while (!sequencer.shard().commands().deleteTopic(topics.get(topic))) {
            cycle();
        }
    }

    int cycle() {
        final int workCount = sequencer.doWork();
        while (ring.read(onDescriptor, 1024) > 0) {
            // A reader stops where the ring begins anew.
        }
        released.setRelease(demanded.get());
        return workCount;
    }

    @Override
    public void close() {
        sequencer.shard().free();
    }

    /** There are no clients to notify. */
    private final class Nobody implements ReplyListener {
        @Override
        public boolean onReply(final ShardCommand command) {
            return true;
        }

        @Override
        public boolean onRefused(
                final Topic topic,
                final Publication refused,
                final StateRefusal reason,
                final long used,
                final long limit) {
            refusedCount++;
            return true;
        }

        @Override
        public void onAttached(final long feed, final long position) {}
    }
}
