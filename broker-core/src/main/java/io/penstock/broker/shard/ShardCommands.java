package io.penstock.broker.shard;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.shard.command.ShardOperations;
import io.penstock.broker.shard.log.LogAppender;
import io.penstock.broker.shard.log.NameRecords;
import io.penstock.broker.shard.log.PublisherTable;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.FollowFields;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.SubscriptionIndex;
import io.penstock.broker.shard.recovery.RecoveredTopic;
import io.penstock.broker.shard.state.JoinView;
import io.penstock.broker.shard.state.MessageHistory;
import io.penstock.broker.shard.state.ShardState;
import io.penstock.broker.shard.state.StateOperations;
import io.penstock.broker.shard.state.StateTopic;
import io.penstock.broker.shard.state.View;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.JoinRule;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.broker.topic.TopicTable;
import io.penstock.broker.topic.ViewRule;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.EpochNanoClock;
import org.jspecify.annotations.Nullable;

/** Executes commands on a shard: each between two batches, or in one of its own. Owned by the sequencer. */
final class ShardCommands implements ShardOperations {
    private final Shard shard;
    private final EpochNanoClock clock;
    private final LogAppender log;
    private final Batch batch;
    private final DisconnectedClients disconnected;
    private final NameRecords names;
    private final SubscriptionIndex subscriptions;
    private final TopicTable topics;
    private final PublisherTable publishers;
    private final ShardState state;
    private final StateOperations stateOperations;

    ShardCommands(
            final Shard shard,
            final EpochNanoClock clock,
            final LogAppender log,
            final Batch batch,
            final DisconnectedClients disconnected,
            final NameRecords names) {
        this.shard = shard;
        this.clock = clock;
        this.log = log;
        this.batch = batch;
        this.disconnected = disconnected;
        this.names = names;
        subscriptions = shard.subscriptions();
        topics = shard.topics();
        publishers = shard.publishers();
        state = shard.state();
        stateOperations = new StateOperations(state);
    }

    @Override
    public @Nullable Topic findTopic(final String name) {
        return topics.find(name);
    }

    @Override
    public boolean isTopicLimitReached() {
        return topics.isFull();
    }

    @Override
    public @Nullable Topic createTopic(final String name, final String format, final @Nullable StateRule stateRule) {
        batch.open();
        return names.createTopic(batch.timestampNs(), name, format, stateRule);
    }

    @Override
    public @Nullable String useOf(final Topic topic) {
        return state.use(topic);
    }

    @Override
    public boolean deleteTopic(final Topic topic) {
        batch.open();
        return names.deleteTopic(batch.timestampNs(), topic);
    }

    /** Creates a view. Returns what is wrong with it, or null. */
    @Nullable
    String createView(final ViewRule rule, final MessageHistory history) {
        final StateTopic source = state.find(rule.source());
        final Topic from = findTopic(rule.source());
        if (from == null || (source == null && !rule.window().isUsed())) {
            return noState(rule.source());
        }
        final JoinRule join = rule.join();
        final StateTopic joined = join == null ? null : state.find(join.right());
        if (join != null && joined == null) {
            return noState(join.right());
        }
        final String format = from.format().name();
        final StateRule keyed = source != null && joined != null
                ? JoinView.stateRule(rule, source, joined)
                : View.stateRule(rule, source == null ? null : source.rule());
        final Topic known = findTopic(rule.name());
        if (known == null) {
            if (isTopicLimitReached()) {
                return "no more topics (raise sessions.topicCountMax)";
            }
            if (createTopic(rule.name(), format, keyed) == null) {
                return "the log window has no room for so many topics (raise window.segmentLength)";
            }
        } else if (!state.views().isUnused(known)) {
            return "there is such a topic already (name the view otherwise)";
        } else if (RecoveredTopic.difference(known, format, keyed) != null) {
            return RecoveredTopic.difference(known, format, keyed)
                    + " (keep its key, or give the new view another name)";
        }
        final StateTopic target = Objects.requireNonNull(state.find(rule.name()));
        if (rule.window().isUsed()) {
            state.views().addMoving(rule, from, target, history, batch.nowNs());
        } else if (source != null && joined != null) {
            state.views().add(rule, source, joined, target);
        } else if (source != null) {
            state.views().add(rule, source, target);
        }
        return null;
    }

    private static String noState(final String name) {
        return "no topic with state: " + name + " (declare it with a key, before its views)";
    }

    @Override
    public int findPublisher(final String name) {
        return publishers.find(name);
    }

    @Override
    public boolean isPublisherLimitReached() {
        return publishers.isFull();
    }

    @Override
    public int openPublisher(final String name) {
        batch.open();
        return names.openPublisher(batch.timestampNs(), name);
    }

    @Override
    public boolean resetPublisher(final int publisherId, final long publisherSequence) {
        batch.open();
        return names.resetPublisher(batch.timestampNs(), publisherId, publisherSequence);
    }

    @Override
    public long lastSequence(final int publisherId) {
        return publishers.lastSequence(publisherId);
    }

    @Override
    public long subscribe(
            final Interest interest,
            final @Nullable Filter filter,
            final @Nullable FollowFields fields,
            final DescriptorRing ring,
            final boolean held) {
        final FollowOptions follow = interest.follow();
        if (follow == null) {
            subscriptions.subscribe(interest, filter, ring, held);
        } else if (fields != null) {
            stateOperations.follow(interest, filter, fields, follow, ring, held, clock.nanoTime());
        }
        disconnected.onCame();
        shard.counters().subscriptions().setRelease(subscriptions.count());
        return log.position();
    }

    @Override
    public @Nullable String changeFilter(
            final long changedFeed, final Interest interest, final @Nullable Filter filter, final boolean isWaiting) {
        return state.followed().change(changedFeed, interest, filter, isWaiting);
    }

    @Override
    public void addRows(final long feed, final int[] rows) {
        state.followed().addRows(feed, rows);
    }

    @Override
    public void resume(final long feed) {
        state.followed().resume(feed);
    }

    @Override
    public boolean hasState(final TopicPattern wanted) {
        return stateOperations.hasState(wanted);
    }

    @Override
    public void openSources(
            final TopicPattern wanted, final @Nullable List<byte[]> keys, final List<QuerySource> sources) {
        stateOperations.openSources(wanted, keys, log.committedSequence(), sources);
    }

    @Override
    public void closeSources(final List<QuerySource> sources) {
        stateOperations.closeSources(sources);
    }

    @Override
    public int delete(final String topic, final byte[] key) {
        batch.open();
        return stateOperations.delete(topic, key, batch.timestampNs());
    }

    @Override
    public int delete(final int topicId, final DirectBuffer key, final int length) {
        batch.open();
        return stateOperations.delete(state.topic(topicId), key, length, batch.timestampNs());
    }

    @Override
    public int delete(
            final int topicId,
            final DirectBuffer key,
            final int offset,
            final int length,
            final long sequence,
            final @Nullable Filter filter) {
        batch.open();
        final StateTopic from = state.topic(topicId);
        final int row = stateOperations.find(from, key, offset, length, sequence, filter);
        return from == null || row == StateStore.NO_ROW ? 0 : stateOperations.delete(from, row, batch.timestampNs());
    }

    @Override
    public long newestSequence() {
        return log.committedSequence();
    }

    @Override
    public long oldestSequence() {
        return log.window().firstSequence(shard.counters().demanded().get());
    }

    @Override
    public long timeNs() {
        return batch.nowNs();
    }

    @Override
    public void unsubscribe(final long feed) {
        if (!state.followed().remove(feed)) {
            subscriptions.unsubscribe(feed);
        }
        shard.counters().subscriptions().setRelease(subscriptions.count());
    }

    @Override
    public boolean supersede(final long feed) {
        final boolean isEnqueued =
                state.followed().has(feed) ? state.followed().supersede(feed) : subscriptions.supersede(feed);
        shard.counters().subscriptions().setRelease(subscriptions.count());
        return isEnqueued;
    }

    @Override
    public void removeSession(final long sessionId) {
        disconnected.add(sessionId);
    }
}
