package io.penstock.broker.shard.state;

import static io.penstock.broker.shard.log.LogAppender.NO_ROOM;

import io.penstock.broker.shard.follow.FollowedTopics;
import io.penstock.broker.shard.follow.StateFollowers;
import io.penstock.broker.shard.log.DispatchLog;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.match.FollowFields;
import io.penstock.broker.shard.match.SubscriptionIndex;
import io.penstock.broker.shard.store.LiveLength;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateMemory;
import io.penstock.broker.shard.store.StateSettings;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.format.MessageEditor;
import io.penstock.protocol.codec.DeliveryKind;
import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one shard: the last value of each key of its topics with state, changed by publishes, deletes and time.
 * Followers are notified of changes. Owned by the sequencer.
 */
public final class ShardState implements AutoCloseable {
    /** Most versions that a duty cycle frees: as many as its messages replace, in a fraction of a millisecond. */
    private static final int RECLAIM_LIMIT = 384;

    /** How often as much is freed of topics that were deleted, when there is no room, in less than a millisecond. */
    private static final int FREE_ROUNDS = 8;

    private final StateSettings settings;
    private final DispatchLog log;
    private final SubscriptionIndex subscriptions;
    private final ShardCounters counters;
    private final Refusals refusals;
    private final StateMemory memory;
    private final Snapshots snapshots = new Snapshots();
    private final StateTopics topics = new StateTopics();
    private final StateRecords records;
    private final DeltaMerge merge = new DeltaMerge();
    private final FollowedTopics followed = new FollowedTopics();
    private final DeletedStores deleted = new DeletedStores(snapshots);

    private final Views views;
    private final StateUpkeep upkeep = new StateUpkeep(snapshots);
    private final BeforeChanges beforeChanges = new BeforeChanges(snapshots);

    public ShardState(
            final StateSettings settings,
            final DispatchLog log,
            final SubscriptionIndex subscriptions,
            final ShardCounters counters,
            final RefusalListener refusals) {
        this.settings = settings;
        this.log = log;
        records = new StateRecords(log);
        this.subscriptions = subscriptions;
        this.counters = counters;
        this.refusals = new Refusals(refusals);
        views = new Views(counters.windowCuts(), counters.windowLength());
        views.rowLengthMax(settings.messageLengthMax());
        memory = new StateMemory(settings.memoryLengthMax(), settings.chunkLength(), settings.columnLengthMax());
    }

    /** Bound of a message, in bytes. */
    public int messageLengthMax() {
        return settings.messageLengthMax();
    }

    public Snapshots snapshots() {
        return snapshots;
    }

    public boolean isEmpty() {
        return topics.all().isEmpty() && deleted.isEmpty() && followed.isEmpty() && followed.dueNs() == Long.MAX_VALUE;
    }

    /** A topic was created. */
    public void onTopic(final Topic topic) {
        final StateRule rule = topic.state();
        if (rule == null) {
            return;
        }
        final StateStore store = new StateStore(memory, snapshots, settings.versionLengthMax());
        final StateTopic state = new StateTopic(topic, rule, store, merge.editor(topic.format()));
        topics.add(state);
    }

    /** Why a topic cannot be deleted: what is computed from it, or that it is computed itself. Null when it can. */
    @Nullable
    public String use(final Topic topic) {
        return views.use(topic, topics.get(topic.id()));
    }

    /** A topic was deleted. Its followers are notified, and its records are freed when no reader needs them any more. */
    public void onTopicDeleted(final Topic topic, final long sequence) {
        final StateTopic state = topics.get(topic.id());
        if (state == null) {
            return;
        }
        topics.remove(state);
        upkeep.remove(state);
        final StateFollowers followers = state.followers();
        if (followers != null) {
            followers.onTopicDeleted();
        }
        state.store.end();
        deleted.add(state.store, sequence);
    }

    /** The stores of topics that were deleted. */
    public DeletedStores deletedStores() {
        return deleted;
    }

    /** The followers of a topic, maybe none yet. */
    StateFollowers followers(final StateTopic of, final FollowFields fields) {
        final StateFollowers known = of.followers();
        if (known != null) {
            return known;
        }
        final StateFollowers made = new StateFollowers(
                of.topic,
                fields.kept(),
                subscriptions.fields().of(of.topic),
                followed,
                of.store,
                snapshots,
                log,
                counters);
        of.followers(made);
        return made;
    }

    @Nullable
    public StateTopic topic(final int topicId) {
        return topics.get(topicId);
    }

    @Nullable
    public StateTopic find(final String name) {
        return topics.find(name);
    }

    public List<StateTopic> topics() {
        return topics.all();
    }

    /** The views of this shard's topics. */
    public Views views() {
        return views;
    }

    /** Brings the views up to date, in their order, so that one view may be computed from another. */
    public void applyViews(final long timestampNs) {
        views.apply(this, timestampNs);
        final long leftOutCount = views.takeLeftOutCount();
        if (leftOutCount > 0) {
            counters.stateRefused().getAndAddPlain(leftOutCount);
        }
    }

    /** Applies a message to its record. Returns false when there is no room now, and then nothing has changed. */
    public boolean publish(final StateTopic to, final Publication publication, final long timestampNs) {
        refusals.begin();
        final StateStore store = to.store;
        final int known = store.find(publication.key(), publication.keyOffset(), publication.keyLength());
        DirectBuffer message = publication.payload();
        int messageOffset = publication.payloadOffset();
        int messageLength = publication.payloadLength();
        if (publication.isDelta() && known != StateStore.NO_ROW && to.editor != null) {
            messageLength = merge.apply(to.editor, store.newest(known), publication);
            message = merge.merged();
            messageOffset = 0;
        }
        // The result of a delta or a view may be longer than every published message.
        if (messageLength == MessageEditor.TOO_LONG || messageLength > settings.messageLengthMax()) {
            counters.stateRefused().incrementPlain();
            return refusals.refuse(to, publication, StateRefusal.TOO_LONG, 0, settings.messageLengthMax());
        }
        final int headersLength = publication.headersLength();
        final long growth = LiveLength.growth(store, known, publication.keyLength(), messageLength + headersLength);
        final long liveLength = memory.live().bytes();
        if (growth > 0 && liveLength + growth > settings.liveLengthMax(known == StateStore.NO_ROW)) {
            counters.stateRefused().incrementPlain();
            return refusals.refuse(to, publication, StateRefusal.FULL, liveLength, settings.liveLengthMax());
        }
        if (!hasRoom(store, known, publication.keyLength(), messageLength + headersLength)) {
            if (deleted.isDue() || deleted.expireReaders()) {
                // There is more once the next duty cycles have freed what topics left behind that were deleted.
                return false;
            }
            counters.stateRefused().incrementPlain();
            return refusals.refuse(
                    to,
                    publication,
                    known == StateStore.NO_ROW ? StateRefusal.NO_ROOM_FOR_KEY : StateRefusal.NO_ROOM_FOR_VERSION,
                    memory.reservedLength(),
                    memory.budgetLength());
        }
        beforeChanges.onBegin();
        final long position = records.append(to, publication, message, messageOffset, messageLength, timestampNs);
        if (position == NO_ROOM) {
            beforeChanges.onEnd();
            return false;
        }
        views.onMessage(to.topic.id(), log.lastBuffer(), log.offset(position));
        hold(to);
        final long before = known == StateStore.NO_ROW ? 0 : store.newest(known);
        final int row = to.change.put(
                known,
                publication.key(),
                publication.keyOffset(),
                publication.keyLength(),
                log.lastBuffer(),
                log.offset(position));
        upkeep.schedule(to);
        subscriptions.dispatch(to.topic.id(), position, messageLength, headersLength + records.trailerLength());
        onChange(to, row, before, store.newest(row), timestampNs, position, DeliveryKind.OOF_MATCH);
        return true;
    }

    /** Whether the last message was refused, and its publisher notified. */
    public boolean isRefused() {
        return refusals.isRefused();
    }

    /** Deletes a record. Returns false when the log has no room now, and then nothing has changed. */
    boolean delete(final StateTopic from, final int row, final boolean expired, final long timestampNs) {
        final long before = from.store.newest(row);
        beforeChanges.onBegin();
        final long position = records.appendDelete(from, before, expired, timestampNs);
        if (position == NO_ROOM) {
            beforeChanges.onEnd();
            return false;
        }
        hold(from);
        from.change.delete(row, log.lastBuffer(), log.offset(position));
        upkeep.schedule(from);
        (expired ? counters.stateExpired() : counters.stateDeleted()).incrementPlain();
        onChange(
                from,
                row,
                before,
                0,
                timestampNs,
                position,
                expired ? DeliveryKind.OOF_EXPIRED : DeliveryKind.OOF_DELETED);
        return true;
    }

    private void onChange(
            final StateTopic of,
            final int row,
            final long before,
            final long after,
            final long timestampNs,
            final long position,
            final DeliveryKind oofKind) {
        views.onChange(of, row, before, after);
        final StateFollowers followers = of.followers();
        if (followers != null && !followers.isEmpty()) {
            followers.onChange(row, before, after, log.lastSequence(), timestampNs, position, oofKind.value());
        }
        beforeChanges.onEnd();
    }

    /** Keeps the state before a change that is in the log and not yet in the store, until all is enqueued. */
    private void hold(final StateTopic of) {
        // Views look at what a record was, too, after it is replaced; joins know records by their rows.
        if (of.isFollowed() || !of.views.isEmpty() || of.hasRunningJoin()) {
            beforeChanges.hold(log.lastSequence() - 1);
        }
    }

    /**
     * Whether there is room for a version, at the latest when the versions that are kept until they are enqueued are
     * freed.
     */
    private boolean hasRoom(final StateStore store, final int row, final int keyLength, final int messageLength) {
        if (store.hasRoom(row, keyLength, messageLength)) {
            return true;
        }
        if (beforeChanges.isHeld()) {
            log.enqueue();
        }
        // The memory of deleted topics is freed before any message is refused.
        boolean hasRoom = store.hasRoom(row, keyLength, messageLength);
        for (int i = 0; !hasRoom && i < FREE_ROUNDS && deleted.free(RECLAIM_LIMIT) > 0; i++) {
            hasRoom = store.hasRoom(row, keyLength, messageLength);
        }
        return hasRoom;
    }

    /** Enqueues the changes for its followers. */
    public void flush() {
        followed.flush();
        beforeChanges.release();
    }

    /** Whether the time of a record or of a message in a view may be up, which {@link #expire} looks at. */
    public boolean mayExpire(final long nowNs) {
        return upkeep.mayExpire(nowNs) || views.mayLeave(nowNs);
    }

    /** Deletes records, and takes messages out of views, whose time is up, some at a time. */
    public int expire(final long nowNs) {
        return upkeep.expire(this, nowNs) + views.leave(nowNs);
    }

    /** The same as one round, whatever room the log has: false when it has none, and is to be called again with that time. */
    public boolean expireRound(final long nowNs) {
        if (!upkeep.expireRound(this, nowNs)) {
            return false;
        }
        views.leave(nowNs);
        return true;
    }

    /** When {@link #mayExpire} holds next; {@link Long#MAX_VALUE} for never. */
    public long expireDueNs() {
        return Math.min(upkeep.dueNs(), views.leaveDueNs());
    }

    /** The records of all topics have been recovered. */
    public void onRecovered() {
        topics.all().forEach(upkeep::schedule);
    }

    /** Lets followers catch up, and frees what no reader needs any more. After everything was enqueued. */
    public int doWork(final long nowNs) {
        final int count = followed.catchUp(nowNs) + upkeep.reclaim(RECLAIM_LIMIT);
        memory.trim();
        return count + deleted.free(RECLAIM_LIMIT);
    }

    /** When followers can be sent something without a new change; 0 for at once, {@link Long#MAX_VALUE} for never. */
    public long catchUpDueNs() {
        return followed.dueNs();
    }

    /** The followers of the topics. */
    public FollowedTopics followed() {
        return followed;
    }

    /** How often a topic was looked at for anything but a message to it, since the start. */
    public long lookCount() {
        return upkeep.lookCount() + followed.lookCount();
    }

    /** Takes memory ahead of its need. Called by one other thread. */
    public boolean prepareMemory() {
        if (!topics.isUsed()) {
            return false;
        }
        counters.columnLength().setRelease(memory.columns().length());
        counters.columnsDropped().setRelease(memory.columns().droppedCount());
        return memory.prepare();
    }

    @Override
    public void close() {
        for (final StateTopic each : topics.all()) {
            each.store.close();
        }
        deleted.close();
        memory.close();
    }

    /** Whether a topic has state, and somebody follows it. */
    public boolean isFollowed(final int topicId) {
        final StateTopic topic = topics.get(topicId);
        return topic != null && topic.isFollowed();
    }

    /** Refuses a request to a topic without subscriptions. Returns false when the publisher cannot be notified now. */
    public boolean refuseRequest(final Topic topic, final Publication publication) {
        return refusals.refuseRequest(topic, publication);
    }

    /** Notifies a publisher that its message was refused. */
    @FunctionalInterface
    public interface RefusalListener {
        /** Returns false when there is no room now. */
        boolean onRefused(Topic topic, Publication publication, StateRefusal reason, long used, long limit);
    }
}
