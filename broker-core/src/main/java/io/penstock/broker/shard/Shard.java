package io.penstock.broker.shard;

import static io.penstock.protocol.RecordDescriptor.TYPE_MESSAGE;

import io.penstock.broker.shard.command.ShardOperations;
import io.penstock.broker.shard.log.DispatchLog;
import io.penstock.broker.shard.log.LogAppender;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.NameRecords;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.log.PublisherTable;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.match.SubscriptionIndex;
import io.penstock.broker.shard.recovery.LogReplay;
import io.penstock.broker.shard.recovery.ShardImage;
import io.penstock.broker.shard.state.MessageHistory;
import io.penstock.broker.shard.state.ShardState;
import io.penstock.broker.shard.state.StateTopic;
import io.penstock.broker.shard.store.KeyLookahead;
import io.penstock.broker.shard.store.StateSettings;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicTable;
import io.penstock.broker.topic.ViewRule;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/**
 * One shard: its log, its state and its subscriptions. It applies messages and commands, one after the other, and its
 * behaviour is a function of these and of its clock. {@link #replay()} applies the records of its files before. Owned
 * by its {@link Sequencer}.
 */
public final class Shard {
    private final int number;
    private final Batch batch;
    private final LogAppender log;
    private final ShardCounters counters;
    private final SubscriptionIndex subscriptions;
    private final TopicTable topics;
    private final PublisherTable publishers;
    private final ShardState state;
    private final DisconnectedClients disconnected;
    private final ShardCommands commands;
    private final Publishing publishing;
    private boolean duplicate;
    private long appliedSequence;

    /**
     * Makes an empty shard.
     *
     * @param number        of the shard.
     * @param clock         for the times of records.
     * @param log           of the shard, empty.
     * @param counters      of the shard.
     * @param topics        of the shard, empty.
     * @param publishers    of the shard, empty.
     * @param stateSettings bounds of its state.
     * @param refusals      is notified of messages that the state refuses.
     */
    public Shard(
            final int number,
            final EpochNanoClock clock,
            final LogAppender log,
            final ShardCounters counters,
            final TopicTable topics,
            final PublisherTable publishers,
            final StateSettings stateSettings,
            final ShardState.RefusalListener refusals) {
        this.number = number;
        this.log = log;
        batch = new Batch(clock);
        this.counters = counters;
        this.topics = topics;
        this.publishers = publishers;
        subscriptions =
                new SubscriptionIndex(number, log, counters.matches(), counters.turnsToCursor(), counters.behind());
        state = new ShardState(
                stateSettings,
                new DispatchLog(log, this::enqueue),
                subscriptions,
                counters,
                new OriginRefusals(batch, refusals));
        publishing = new Publishing(batch, log, counters, subscriptions, topics, state);
        disconnected = new DisconnectedClients(subscriptions, state.followed());
        commands = new ShardCommands(
                this,
                clock,
                log,
                batch,
                disconnected,
                new NameRecords(number, log, topics, publishers, this::onTopic, this::onTopicDeleted));
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

    public PublisherTable publishers() {
        return publishers;
    }

    /** The operations of commands, and of the code that starts it. */
    public ShardOperations commands() {
        return commands;
    }

    /**
     * Creates a view. Called before the sequencer starts.
     *
     * @param rule    for it.
     * @param history messages of an earlier run, for a view over the last ones.
     * @return what is wrong with it, or null.
     */
    @Nullable
    public String createView(final ViewRule rule, final MessageHistory history) {
        return commands.createView(rule, history);
    }

    /** The same for a view that needs no messages of an earlier run. Returns what is wrong with it, or null. */
    @Nullable
    public String createView(final ViewRule rule) {
        return createView(rule, MessageHistory.NONE);
    }

    public LogWindow window() {
        return log.window();
    }

    /** The state of a topic, for its totals; null when it has none or was deleted. Any thread. */
    @Nullable
    public StateStore stateOf(final String topic) {
        final StateTopic found = state.find(topic);
        return found == null ? null : found.store();
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
        publishing.listener(listener);
    }

    /** Applies a message. Returns false when the log has no room now, and then nothing has changed. */
    boolean apply(final Publication publication) {
        if (!batch.isOpen() && state.views().isLagging()) {
            // Rows of views that the log had no room for come first.
            counters.appendsRefused().incrementPlain();
            return false;
        }
        batch.open();
        appliedSequence = 0;
        final int publisherId = publication.publisherId();
        duplicate = publisherId > 0 && publication.publisherSequence() <= publishers.lastSequence(publisherId);
        if (duplicate) {
            return true;
        }
        if (!topics.has(publication.topicId())) {
            // The topic was deleted while the message was on its way: it is deleted with the others, as if it had come
            // just before.
            return true;
        }
        // Who has subscribed is known to one node only.
        if (publication.isRequest() && !batch.isOrdered() && !hasSubscriber(publication.topicId())) {
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
        batch.add(publication.payloadLength());
        return true;
    }

    /** A record with a key will be put soon, if it is one. */
    void lookAhead(
            final KeyLookahead keys,
            final int topicId,
            final DirectBuffer buffer,
            final int keyOffset,
            final int keyLength) {
        final StateTopic to = state.topic(topicId);
        if (to != null) {
            keys.add(to.store(), buffer, keyOffset, keyLength);
        }
    }

    private boolean hasSubscriber(final int topicId) {
        return subscriptions.hasSubscriber(topicId) || state.isFollowed(topicId);
    }

    /**
     * Whether the last message was dropped, because its sequence had been applied before; the same message comes again
     * until its I/O agent can be notified.
     */
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
            return state.publish(stateTopic, publication, batch.timestampNs());
        }
        final long position = log.append(TYPE_MESSAGE, batch.timestampNs(), publication);
        if (position == LogAppender.NO_ROOM) {
            return false;
        }
        state.views()
                .onMessage(publication.topicId(), log.lastBuffer(), log.window().offset(position));
        subscriptions.dispatch(
                publication.topicId(), position, publication.payloadLength(), publication.headersLength());
        return true;
    }

    /** Opens a batch when views are not up to date, so that its end brings them further without another change. */
    void beginViews() {
        if (state.views().isLagging()) {
            batch.open();
        }
    }

    /** Whether there is room for other changes: no rows of views wait for some, and no command is applied in part. */
    boolean mayChange() {
        return !batch.isHeld() && !state.views().isLagging();
    }

    /** Whether it is as it is between two commands, or no commands of an order are applied to it. */
    boolean isBetweenCommands() {
        return !batch.isHeld();
    }

    /** From now on its changes have the times of commands, and come by them only. */
    void followOrder() {
        batch.followOrder();
    }

    /** The way by which commands of an order of several nodes are applied. The sequencer's. */
    public OrderedChanges orderedChanges() {
        return new OrderedChanges(this, batch, publishing);
    }

    /** Whether something waits for room in a ring or in the log, so that there is work without a new message. */
    boolean isRetrying() {
        return batch.isHeld()
                || !disconnected.isEmpty()
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
        batch.open();
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

    /** Frees some of what ended clients have left, and sends I/O agents the notices for which they had no room. */
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

    private void enqueue() {
        publishing.enqueue();
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

    /**
     * Publishes what was appended since the last call, and enqueues it for its subscribers.
     *
     * @return false when there was nothing.
     */
    boolean endBatch() {
        return publishing.endBatch();
    }
}
