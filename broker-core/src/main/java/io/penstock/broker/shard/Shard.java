package io.penstock.broker.shard;

import static io.penstock.protocol.RecordDescriptor.TYPE_MESSAGE;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.shard.command.ShardOperations;
import io.penstock.broker.shard.log.DispatchLog;
import io.penstock.broker.shard.log.LogAppender;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.NameRecords;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.log.PublisherTable;
import io.penstock.broker.shard.log.Reclaim;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.FollowFields;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.SubscriptionIndex;
import io.penstock.broker.shard.recovery.LogReplay;
import io.penstock.broker.shard.recovery.RecoveredTopic;
import io.penstock.broker.shard.recovery.ShardImage;
import io.penstock.broker.shard.state.ShardState;
import io.penstock.broker.shard.state.StateOperations;
import io.penstock.broker.shard.state.StateTopic;
import io.penstock.broker.shard.state.View;
import io.penstock.broker.shard.store.StateSettings;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.broker.topic.TopicTable;
import io.penstock.broker.topic.ViewRule;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/**
 * One shard: its log, its state and its subscriptions. Messages and commands are applied here, one after the other, and what
 * it does is a function of these and of its clock. Records of its files are applied before, by {@link #replay()}. Owned by
 * its {@link Sequencer}.
 */
public final class Shard implements ShardOperations {
    private final int number;
    private final EpochNanoClock clock;
    private final LogAppender log;
    private final ShardCounters counters;
    private final SubscriptionIndex subscriptions;
    private final TopicTable topics;
    private final PublisherTable publishers;
    private final ShardState state;
    private final StateOperations stateOperations;
    private final DisconnectedClients disconnected;
    private final NameRecords names;
    private Runnable onPublished = () -> {};
    private boolean batchOpen;
    private long timestampNs;
    private boolean duplicate;
    private long appliedSequence;
    private long batchMessages;
    private long batchPayloadBytes;

    /**
     * Makes an empty shard.
     *
     * @param number        of the shard.
     * @param clock         for the times of records.
     * @param window        of its log.
     * @param reclaim       of the window.
     * @param counters      of the shard.
     * @param topics        of the shard, empty.
     * @param publishers    of the shard, empty.
     * @param stateSettings bounds of its state.
     * @param refusals      is notified of messages that the state refuses.
     */
    public Shard(
            final int number,
            final EpochNanoClock clock,
            final LogWindow window,
            final Reclaim reclaim,
            final ShardCounters counters,
            final TopicTable topics,
            final PublisherTable publishers,
            final StateSettings stateSettings,
            final ShardState.RefusalListener refusals) {
        this.number = number;
        this.clock = clock;
        this.counters = counters;
        this.topics = topics;
        this.publishers = publishers;
        log = new LogAppender(window, reclaim, counters.published());
        subscriptions =
                new SubscriptionIndex(number, log, counters.matches(), counters.turnsToCursor(), counters.behind());
        state = new ShardState(stateSettings, new DispatchLog(log, this::describe), subscriptions, counters, refusals);
        stateOperations = new StateOperations(state);
        disconnected = new DisconnectedClients(subscriptions, state.followed());
        names = new NameRecords(number, log, topics, publishers, this::onTopic, this::onTopicDeleted);
    }

    public int number() {
        return number;
    }

    public ShardCounters counters() {
        return counters;
    }

    /** The last values of its topics with state. */
    ShardState state() {
        return state;
    }

    /** Its subscriptions that do not follow state. */
    SubscriptionIndex subscriptions() {
        return subscriptions;
    }

    public LogWindow window() {
        return log.window();
    }

    public TopicTable topics() {
        return topics;
    }

    /** Whether cursors serve some of the subscriptions, or are about to. Called from any thread. */
    public boolean isAnyLagging() {
        return counters.behind().get() > 0;
    }

    public AtomicCounter published() {
        return counters.published();
    }

    /**
     * Makes the shard what its log says it was.
     *
     * @return what applies the log's records, in their order; called before the sequencer starts.
     */
    public LogReplay replay() {
        return new LogReplay(number, topics, publishers, state, this::onTopic, this::onTopicDeleted);
    }

    private void onTopic(final Topic topic) {
        subscriptions.onTopic(topic);
        state.onTopic(topic);
    }

    private void onTopicDeleted(final Topic topic, final long sequence) {
        subscriptions.onTopicDeleted(topic);
        state.onTopicDeleted(topic, sequence);
    }

    /**
     * Goes on after the last record of the log. Called before the sequencer starts.
     *
     * @param lastSequence of the log.
     * @param epoch        of what is appended from now on.
     * @param listener     is run whenever records were published.
     */
    public void resume(final long lastSequence, final int epoch, final Runnable listener) {
        log.resume(lastSequence, epoch);
        state.onRecovered();
        counters.lastSequence().setRelease(lastSequence);
        onPublished = listener;
    }

    /** Applies a message. Returns false when the log has no room now, and then nothing has changed. */
    boolean apply(final Publication publication) {
        if (!batchOpen && state.views().isLagging()) {
            // Rows of views that the log had no room for come first.
            counters.appendsRefused().incrementPlain();
            return false;
        }
        openBatch();
        appliedSequence = 0;
        final int publisherId = publication.publisherId();
        duplicate = publisherId > 0 && publication.publisherSequence() <= publishers.lastSequence(publisherId);
        if (duplicate) {
            return true;
        }
        if (!topics.has(publication.topicId())) {
            // Deleted while the message was on its way: it is gone with the others, as if it had come just before.
            return true;
        }
        if (publication.isRequest() && !hasSubscriber(publication.topicId())) {
            return state.refuseRequest(Objects.requireNonNull(topics.find(publication.topicId())), publication);
        }
        if (!append(publication)) {
            counters.appendsRefused().incrementPlain();
            return false;
        }
        if (publication.hasRecord() && state.isRefused()) {
            return true;
        }
        appliedSequence = log.lastSequence();
        if (publisherId > 0) {
            publishers.onApplied(publisherId, publication.publisherSequence());
        }
        topics.onMessage(publication.topicId());
        batchMessages++;
        batchPayloadBytes += publication.payloadLength();
        return true;
    }

    private boolean hasSubscriber(final int topicId) {
        return subscriptions.hasSubscriber(topicId) || state.isFollowed(topicId);
    }

    /** Whether the last message was dropped, as its sequence was applied before; again until its I/O agent can be told. */
    boolean isDuplicate() {
        return duplicate;
    }

    /** The sequence of the last message; 0 when it was dropped or refused. */
    long appliedSequence() {
        return appliedSequence;
    }

    private boolean append(final Publication publication) {
        final StateTopic stateTopic = publication.hasRecord() ? state.topic(publication.topicId()) : null;
        if (stateTopic != null) {
            return state.publish(stateTopic, publication, timestampNs);
        }
        final long position = log.append(TYPE_MESSAGE, timestampNs, publication);
        if (position == LogAppender.NO_ROOM) {
            return false;
        }
        subscriptions.dispatch(
                publication.topicId(), position, publication.payloadLength(), publication.headersLength());
        return true;
    }

    /** Whether there is room for other changes: no rows of views wait for some. */
    boolean mayChange() {
        return !state.views().isLagging();
    }

    /** Whether something waits for room in a ring or in the log, so that there is work without a new message. */
    boolean isRetrying() {
        return !disconnected.isEmpty()
                || subscriptions.isSwitching()
                || state.views().isLagging()
                || state.deletedStores().isDue()
                || state.catchUpDueNs() == 0;
    }

    /** When followers can be sent something without a new change; {@link Long#MAX_VALUE} for never. */
    long catchUpDueNs() {
        return state.catchUpDueNs();
    }

    /** Deletes what has expired. Returns how much that was; the batch is to be ended. */
    int expire(final long nowNs) {
        final boolean isViewing = state.views().isLagging();
        if (!isViewing && !state.mayExpire(nowNs)) {
            return 0;
        }
        openBatch();
        return isViewing ? 0 : state.expire(nowNs);
    }

    /** Lets followers catch up, and frees what nobody reads any more. Between batches. */
    int keepState(final long nowNs) {
        final int workCount = state.doWork(nowNs);
        log.commit();
        log.publish();
        state.views().check();
        return workCount;
    }

    boolean hasState() {
        return !state.isEmpty();
    }

    /** Forgets some of what clients have left behind, and tells I/O agents what they had no room for. */
    int keepSubscriptions() {
        final int leftCount = disconnected.removeSome();
        if (leftCount > 0) {
            counters.subscriptions().setRelease(subscriptions.count());
        }
        return leftCount + subscriptions.retryTurns();
    }

    /** The shard as it is now. Between batches, so that it is one moment. */
    ShardImage image() {
        return new ShardImage(
                state.snapshots().open(log.committedSequence()),
                topics.snapshot(),
                topics.nextId(),
                state.topics().toArray(new StateTopic[0]),
                publishers.names(),
                publishers.lastSequences());
    }

    /** An image is not read any more. */
    void close(final ShardImage image) {
        state.snapshots().close(image.snapshot());
    }

    private void describe() {
        subscriptions.flush();
        state.flush();
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
        openBatch();
        return names.createTopic(timestampNs, name, format, stateRule);
    }

    @Override
    public @Nullable String useOf(final Topic topic) {
        return state.use(topic);
    }

    @Override
    public boolean deleteTopic(final Topic topic) {
        openBatch();
        return names.deleteTopic(timestampNs, topic);
    }

    /** Creates a view of a topic with state. Returns what is wrong with it, or null. */
    @Nullable
    public String createView(final ViewRule rule) {
        final StateTopic source = state.find(rule.source());
        if (source == null) {
            return "no topic with state: " + rule.source() + " (declare it with a key, before its views)";
        }
        final String format = source.topic().format().name();
        final StateRule keyed = View.stateRule(rule, source.rule());
        final Topic known = findTopic(rule.name());
        if (known == null) {
            createTopic(rule.name(), format, keyed);
        } else if (!state.views().isUnused(known)) {
            return "there is such a topic already (name the view otherwise)";
        } else if (RecoveredTopic.difference(known, format, keyed) != null) {
            return RecoveredTopic.difference(known, format, keyed)
                    + " (keep its key, or give the new view another name)";
        }
        final StateTopic target = state.find(rule.name());
        if (target == null) {
            return "no more topics (raise sessions.topicCountMax)";
        }
        state.views().add(rule, source, target);
        return null;
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
        openBatch();
        return names.openPublisher(timestampNs, name);
    }

    @Override
    public boolean resetPublisher(final int publisherId, final long publisherSequence) {
        openBatch();
        return names.resetPublisher(timestampNs, publisherId, publisherSequence);
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
        counters.subscriptions().setRelease(subscriptions.count());
        return log.position();
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
        openBatch();
        return stateOperations.delete(topic, key, timestampNs);
    }

    @Override
    public int delete(final int topicId, final DirectBuffer key, final int length) {
        openBatch();
        return stateOperations.delete(state.topic(topicId), key, length, timestampNs);
    }

    @Override
    public int delete(final int topicId, final int row, final long version, final @Nullable Filter filter) {
        openBatch();
        return stateOperations.delete(topicId, row, version, filter, timestampNs);
    }

    @Override
    public long newestSequence() {
        return log.committedSequence();
    }

    @Override
    public long oldestSequence() {
        return log.window().firstSequence(counters.demanded().get());
    }

    @Override
    public long timeNs() {
        return clock.nanoTime();
    }

    @Override
    public void unsubscribe(final long feed) {
        if (!state.followed().remove(feed)) {
            subscriptions.unsubscribe(feed);
        }
        counters.subscriptions().setRelease(subscriptions.count());
    }

    @Override
    public boolean supersede(final long feed) {
        final boolean isEnqueued =
                state.followed().has(feed) ? state.followed().supersede(feed) : subscriptions.supersede(feed);
        counters.subscriptions().setRelease(subscriptions.count());
        return isEnqueued;
    }

    @Override
    public void removeSession(final long sessionId) {
        disconnected.add(sessionId);
    }

    /** Takes memory for state ahead of its need. Called by one other thread. */
    public boolean prepareMemory() {
        return state.prepareMemory();
    }

    /** Frees the log and the state. When no agent runs any more. */
    public void free() {
        log.window().free();
        state.close();
    }

    /** A batch has one time, read when its first message comes. */
    private void openBatch() {
        if (!batchOpen) {
            batchOpen = true;
            timestampNs = clock.nanoTime();
        }
    }

    /**
     * Publishes what was appended since the last call, and enqueues it for its subscribers.
     *
     * @return false when there was nothing.
     */
    boolean endBatch() {
        if (!batchOpen) {
            return false;
        }
        batchOpen = false;
        state.applyViews(timestampNs);
        log.commit();
        log.publish();
        onPublished.run();
        describe();
        topics.flushCounts();
        counters.messages().getAndAddPlain(batchMessages);
        counters.payloadBytes().getAndAddPlain(batchPayloadBytes);
        counters.payloadBytesCopied().getAndAddPlain(batchPayloadBytes);
        batchMessages = 0;
        batchPayloadBytes = 0;
        counters.lastSequence().setRelease(log.committedSequence());
        return true;
    }
}
