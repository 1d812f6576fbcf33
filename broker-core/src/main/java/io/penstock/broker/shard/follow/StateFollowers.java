package io.penstock.broker.shard.follow;

import static io.penstock.broker.shard.log.LogAppender.NO_ROOM;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.shard.log.DispatchLog;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.FilterGroup;
import io.penstock.broker.shard.match.FollowFields;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.MatchedRecord;
import io.penstock.broker.shard.match.Matcher;
import io.penstock.broker.shard.match.TopicFields;
import io.penstock.broker.shard.store.DueHeap;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.Topic;
import io.penstock.format.FieldSelection;
import io.penstock.format.KeyReader;
import io.penstock.protocol.codec.DeliveryKind;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions that follow the records of one topic with state: each change is sent to those whose filter the
 * record matches now, and to those whose filter it matched before. Owned by the sequencer.
 *
 * <p>Nobody waits for a follower whose ring is full: it lags, and catches up from the state, see {@link
 * FollowedTopics#catchUp(long)}. Old versions have to be there until {@link FollowedTopics#flush()} has been called
 * after their change.
 */
public final class StateFollowers {
    private static final int PUBLISH = DeliveryKind.PUBLISH.value();
    private static final int DELTA = DeliveryKind.DELTA.value();

    /** Its places among those of the shard that have something to do. */
    final DueHeap.Entry<StateFollowers> work = new DueHeap.Entry<>(this);

    final DueHeap.Entry<StateFollowers> sending = new DueHeap.Entry<>(this);

    private final Topic topic;
    private final FollowedTopics shard;
    private final StateStore store;
    private final DispatchLog log;
    private final ShardCounters counters;
    private final Matcher<StateFollower> matcher;
    private final Change change = new Change();
    private final ArrayList<StateFollower> dirty = new ArrayList<>();
    private final CatchUp catchUp;
    private final DerivedRecords derived;
    private final VersionReader versions;

    /** How many are notified when a record leaves their filter. */
    private int oofCount;

    /**
     * Makes an empty set.
     *
     * @param topic     with state.
     * @param kept      fields that are sent whatever was selected.
     * @param fields    of the topic that filters read.
     * @param shard     all such topics of the shard.
     * @param store     of its records.
     * @param snapshots of the shard.
     * @param log       of the shard.
     * @param counters  of the shard.
     */
    public StateFollowers(
            final Topic topic,
            final FieldSelection kept,
            final TopicFields fields,
            final FollowedTopics shard,
            final StateStore store,
            final Snapshots snapshots,
            final DispatchLog log,
            final ShardCounters counters) {
        this.topic = topic;
        this.shard = shard;
        this.store = store;
        this.log = log;
        this.counters = counters;
        derived = new DerivedRecords(topic, log, kept);
        versions = new VersionReader(fields);
        matcher = new Matcher<>(fields);
        catchUp = new CatchUp(
                topic, store, snapshots, log, derived, versions, counters, () -> shard.onDue(this, 0, Long.MAX_VALUE));
    }

    public boolean isEmpty() {
        return matcher.isEmpty();
    }

    /**
     * Adds a follower.
     *
     * @param interest with how it follows.
     * @param filter   of the interest, compiled by its I/O agent, and the sequencer's from now on; null for everything.
     * @param fields   of the topic, made for this follower.
     * @param options  how it follows.
     * @param ring     to its I/O agent.
     * @param held     whether its client is sent the state first, see {@link FollowedTopics#resume(long)}.
     * @param nowNs    since 1970.
     */
    public void add(
            final Interest interest,
            final @Nullable Filter filter,
            final FollowFields fields,
            final FollowOptions options,
            final DescriptorRing ring,
            final boolean held,
            final long nowNs) {
        final KeyConflation conflation = conflation(fields);
        final FilterGroup<StateFollower> group = matcher.groupOf(interest.filter(), filter);
        final StateFollower follower = new StateFollower(this, interest, options, ring, group, conflation);
        matcher.add(group, follower);
        oofCount += options.oof() ? 1 : 0;
        shard.onAdded(follower);
        if (held || follower.isConflated()) {
            follower.held = held;
            follower.dueNs = nowNs + options.conflationNs();
            catchUp.add(follower, log.lastSequence());
            noteDue(follower);
        }
    }

    private @Nullable KeyConflation conflation(final FollowFields fields) {
        final KeyReader key = fields.conflationKey();
        final KeyReader other = fields.otherConflationKey();
        return key == null || other == null ? null : new KeyConflation(store, key, other);
    }

    /** The client of a follower has been sent the state as it was when the follower was added. */
    void resume(final StateFollower follower) {
        follower.held = false;
        catchUp.onResumed(follower);
        noteDue(follower);
    }

    /** A follower gets another filter. Returns the one by which its client's state is; null when it cannot be changed now. */
    @Nullable
    String change(
            final StateFollower follower,
            final Interest interest,
            final @Nullable Filter filter,
            final boolean isWaiting) {
        if (!isWaiting && !catchUp.isChangeable(follower)) {
            return null;
        }
        final FilterGroup<StateFollower> group = matcher.groupOf(interest.filter(), filter);
        final StateFollower next =
                new StateFollower(this, interest, follower.options, follower.ring(), group, follower.conflation);
        matcher.add(group, next);
        follower.onRemoved();
        shard.onRemoved(follower);
        shard.onAdded(next);
        catchUp.change(follower, next, isWaiting);
        if (next.last() != follower) {
            matcher.remove(follower.group, follower);
        }
        noteDue(next);
        return next.last().interest().filter();
    }

    /** The client of a follower has the state by its own filter. */
    void forgetEarlier(final StateFollower follower) {
        final StateFollower earlier = follower.known.earlier;
        if (earlier != null) {
            matcher.remove(earlier.group, earlier);
            follower.known.earlier = null;
        }
    }

    /** A follower is superseded by another subscription. Returns whether everything due to it was enqueued. */
    boolean supersede(final StateFollower follower) {
        if (!follower.isLive() && !catchUp.supersede(follower)) {
            noteDue(follower);
            return false;
        }
        remove(follower);
        return true;
    }

    /**
     * A record has changed.
     *
     * @param row         of the record.
     * @param oldVersion  address of what it was, 0 for nothing.
     * @param newVersion  address of what it is, 0 when it was deleted.
     * @param sequence    of the change.
     * @param timestampNs of the change.
     * @param position    of the change's record in the log.
     * @param oofKind     what the change is to a subscription whose filter the record no longer matches.
     */
    public void onChange(
            final int row,
            final long oldVersion,
            final long newVersion,
            final long sequence,
            final long timestampNs,
            final long position,
            final int oofKind) {
        derived.onChange(oldVersion, newVersion, sequence, timestampNs);
        final int noted = noteChange(row, 0);
        final MatchedRecord before = oldVersion == 0 ? null : versions.before(oldVersion);
        change.of(row, before, newVersion == 0, sequence, position, oofKind);
        if (newVersion != 0) {
            final int length = Version.messageLength(newVersion);
            final MatchedRecord now = versions.published(log.lastBuffer(), log.offset(position), length, sequence);
            if (before != null && oofCount > 0) {
                matcher.match(now, before, change);
            } else {
                matcher.match(now, change);
            }
        } else if (before != null && oofCount > 0) {
            matcher.matchGone(before, change);
        }
        // A record made for some followers may begin a segment; at that, others whose turn had not come may start to
        // lag.
        noteChange(row, noted);
    }

    /** Has those that lag look at a row later, whatever their filters say of it now. Returns how many there are. */
    private int noteChange(final int row, final int from) {
        final LaggingFollowers lagging = catchUp.lagging();
        for (int i = from; i < lagging.count(); i++) {
            final StateFollower follower = lagging.get(i);
            follower.noteChange(row);
            noteDue(follower);
        }
        return lagging.count();
    }

    /** A change of a record, for the groups that it matches or matched. */
    private final class Change implements Matcher.Visitor<StateFollower> {
        private int row;
        private @Nullable MatchedRecord before;
        private boolean isGone;
        private long sequence;
        private long position;
        private int oofKind;

        void of(
                final int changedRow,
                final @Nullable MatchedRecord beforeChange,
                final boolean isDeleted,
                final long ofSequence,
                final long recordPosition,
                final int kind) {
            row = changedRow;
            before = beforeChange;
            isGone = isDeleted;
            sequence = ofSequence;
            position = recordPosition;
            oofKind = kind;
        }

        @Override
        public void onMatch(final FilterGroup<StateFollower> group) {
            for (int i = 0, size = group.size(); i < size; i++) {
                final StateFollower follower = group.get(i);
                if (follower.isLive()) {
                    send(follower);
                }
            }
        }

        private void send(final StateFollower follower) {
            final MatchedRecord was = before;
            if (follower.options.delta() && was != null && follower.group.matches(was)) {
                final long delta = derived.delta(follower);
                if (delta == DerivedRecords.NOTHING) {
                    return;
                }
                if (delta != DerivedRecords.TOO_LONG) {
                    enqueue(follower, row, sequence, delta, DELTA);
                    return;
                }
            }
            enqueue(follower, row, sequence, derived.selected(follower, position), PUBLISH);
        }

        @Override
        public void onLeft(final FilterGroup<StateFollower> group) {
            for (int i = 0, size = group.size(); i < size; i++) {
                final StateFollower follower = group.get(i);
                if (follower.isLive() && follower.options.oof()) {
                    final boolean isHidden = !isGone && follower.interest().isLimited();
                    final long told = isHidden ? derived.before(follower) : derived.selected(follower, position);
                    enqueue(follower, row, sequence, told, oofKind);
                }
            }
        }
    }

    private void enqueue(
            final StateFollower follower, final int row, final long sequence, final long position, final int kind) {
        if (!follower.isLive()) {
            // The record made for it began a segment; its run was then enqueued, or could not be.
            follower.pending.add(row);
            return;
        }
        if (position == NO_ROOM) {
            catchUp.onLagging(follower, row, sequence);
            noteDue(follower);
            return;
        }
        if (!addToRun(follower, position, kind, sequence)) {
            if (!flush(follower)) {
                follower.pending.add(row);
                return;
            }
            addToRun(follower, position, kind, sequence);
        }
        follower.inRun.rows.addInt(row);
        counters.matches().incrementPlain();
        if (!follower.isDirty()) {
            follower.isDirty(true);
            if (dirty.isEmpty()) {
                shard.onDirty(this);
            }
            dirty.add(follower);
        }
    }

    private boolean addToRun(final StateFollower follower, final long position, final int kind, final long sequence) {
        if (follower.run().isEmpty()) {
            follower.inRun.firstSequence = sequence;
        }
        return follower.run()
                .add(position, log.alignedLength(position), topic.id(), log.isSegmentStart(position), kind);
    }

    /** Enqueues all open runs for their I/O agents. */
    void flush() {
        for (int i = 0, size = dirty.size(); i < size; i++) {
            final StateFollower follower = dirty.get(i);
            follower.isDirty(false);
            flush(follower);
        }
        dirty.clear();
    }

    private boolean flush(final StateFollower follower) {
        if (follower.isRemoved() || !follower.isLive()) {
            return follower.run().isEmpty();
        }
        if (follower.run().flush(follower.ring(), follower.interest().feed(), topic.shard())) {
            follower.inRun.rows.clear();
            return true;
        }
        catchUp.onLagging(follower, StateStore.NO_ROW, follower.inRun.firstSequence);
        noteDue(follower);
        return false;
    }

    /** Sends lagging followers what they need, as far as there is room. */
    int catchUp(final long nowNs) {
        final int workCount = catchUp.doWork(nowNs);
        StateFollower left;
        while ((left = catchUp.takeLeft()) != null) {
            remove(left);
        }
        shard.onLookedAt(
                this, nowNs, catchUp.lagging().workNs(), catchUp.lagging().dueNs());
        return workCount;
    }

    /** A lagging follower may have something to do earlier than before. */
    private void noteDue(final StateFollower follower) {
        if (!follower.isLive()) {
            shard.onDue(this, LaggingFollowers.workNs(follower), LaggingFollowers.dueNs(follower));
        }
    }

    /**
     * The topic was deleted. Its followers are notified of that as soon as there is room, and read nothing from the
     * state any more. What was enqueued for them before is sent first; the rest is lost.
     */
    public void onTopicDeleted() {
        for (int i = 0, size = matcher.groupCount(); i < size; i++) {
            final FilterGroup<StateFollower> group = matcher.group(i);
            for (int j = 0, count = group.size(); j < count; j++) {
                catchUp.onTopicDeleted(group.get(j));
            }
        }
        shard.onDue(this, 0, 0);
    }

    void remove(final StateFollower follower) {
        follower.onRemoved();
        shard.onRemoved(follower);
        catchUp.remove(follower);
        oofCount -= follower.options.oof() ? 1 : 0;
        forgetEarlier(follower);
        matcher.remove(follower.group, follower);
    }
}
