package io.penstock.broker.shard.follow;

import static io.penstock.broker.shard.log.LogAppender.NO_ROOM;

import io.penstock.broker.shard.follow.StateFollower.Loss;
import io.penstock.broker.shard.log.DispatchLog;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.match.Descriptor;
import io.penstock.broker.shard.store.Snapshot;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.Topic;
import io.penstock.protocol.codec.DeliveryKind;
import java.util.ArrayDeque;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/**
 * The lagging followers of one topic, and how they catch up: the version of a changed row that the client knows is
 * compared with the present one, and the difference is sent. Owned by the sequencer, which is kept no longer than some
 * rows at a time.
 */
final class CatchUp {
    private static final int ROW_LIMIT = 128;

    private final Topic topic;
    private final StateStore store;
    private final Snapshots snapshots;
    private final DispatchLog log;
    private final DerivedRecords derived;
    private final AtomicCounter turns;
    private final Runnable onTooOld;
    private final LaggingFollowers lagging;
    private final ArrayDeque<StateFollower> left = new ArrayDeque<>();
    private final VersionReader versions;
    private long nowNs;

    CatchUp(
            final Topic topic,
            final StateStore store,
            final Snapshots snapshots,
            final DispatchLog log,
            final DerivedRecords derived,
            final VersionReader versions,
            final ShardCounters counters,
            final Runnable onTooOld) {
        this.topic = topic;
        this.store = store;
        this.snapshots = snapshots;
        this.log = log;
        this.derived = derived;
        lagging = new LaggingFollowers(counters.behind());
        turns = counters.turnsToCursor();
        this.onTooOld = onTooOld;
        this.versions = versions;
    }

    /** Those that are not live. */
    LaggingFollowers lagging() {
        return lagging;
    }

    /** A follower lags from its start on: its client knows the state of a sequence. */
    void add(final StateFollower follower, final long sequence) {
        follower.known.since = snapshots.openOwn(sequence, onTooOld);
        lagging.add(follower);
    }

    /** Whether what a follower's client knows is the state of one sequence, so that its filter can be changed. */
    boolean isChangeable(final StateFollower follower) {
        return !follower.isLost()
                && !follower.isSuperseded()
                && follower.known.target == null
                && (!follower.held || follower.known.earlier != null);
    }

    /** A follower takes the place of one with another filter, and is held; of one that is waiting it has all. */
    void change(final StateFollower follower, final StateFollower next, final boolean isWaiting) {
        next.loss = follower.loss;
        next.known.since = follower.isLive() ? snapshots.openOwn(log.lastSequence(), onTooOld) : follower.known.since;
        lagging.remove(follower);
        follower.known.since = null;
        follower.loss = Loss.CHANGED;
        next.pending = follower.pending;
        next.dueNs = follower.dueNs;
        next.known.earlier = isWaiting ? null : follower.last();
        follower.known.earlier = null;
        next.held = true;
        lagging.add(next);
    }

    /** A live follower's change, and what is in its run, cannot be enqueued: there is no room. */
    void onLagging(final StateFollower follower, final int row, final long sequence) {
        final long first = follower.run().isEmpty() ? sequence : follower.inRun.firstSequence;
        for (int i = 0; i < follower.inRun.rows.size(); i++) {
            follower.pending.add(follower.inRun.rows.getInt(i));
        }
        if (row != StateStore.NO_ROW) {
            follower.pending.add(row);
        }
        follower.inRun.rows.clear();
        follower.run().clear();
        turns.incrementPlain();
        add(follower, first - 1);
    }

    /** There is nothing to follow any more, whether it was live or behind. */
    void onTopicDeleted(final StateFollower follower) {
        follower.run().clear();
        follower.inRun.rows.clear();
        if (follower.isLive()) {
            lagging.add(follower);
        }
        follower.loss = Loss.TOPIC_DELETED;
        follower.known.close(snapshots);
    }

    /** A follower is superseded. Returns whether its client has got everything up to now. */
    boolean supersede(final StateFollower follower) {
        if (!follower.held && !follower.isLost() && follower.known.target == null && follower.pending.isEmpty()) {
            return true;
        }
        follower.supersede();
        // While rows are searched for that only one of its filters matches, they are pending later, as they are now.
        if (!follower.isLost() && (!follower.pending.isEmpty() || follower.known.earlier != null)) {
            follower.known.last = snapshots.openOwn(log.lastSequence(), onTooOld);
        }
        return false;
    }

    /** A superseded follower that has got everything up to that point; null for none. */
    @Nullable
    StateFollower takeLeft() {
        return left.poll();
    }

    void remove(final StateFollower follower) {
        lagging.remove(follower);
        follower.known.close(snapshots);
    }

    int doWork(final long timeNs) {
        nowNs = timeNs;
        int workCount = 0;
        for (int i = lagging.count() - 1; i >= 0; i--) {
            final StateFollower follower = lagging.get(i);
            workCount += catchUp(follower);
            if (follower.isLive()) {
                lagging.remove(follower);
            }
        }
        return workCount;
    }

    /** A follower is held no more: it is live from now on if nothing has changed meanwhile. */
    void onResumed(final StateFollower follower) {
        final Snapshot since = follower.known.since;
        if (since != null
                && !follower.isSuperseded()
                && follower.known.target == null
                && follower.pending.isEmpty()
                && !follower.isConflated()) {
            follower.known.since = null;
            snapshots.close(since);
            lagging.remove(follower);
            follower.topic.forgetEarlier(follower);
        }
    }

    private int catchUp(final StateFollower follower) {
        final Snapshot since = follower.known.since;
        if (since == null || since.isTooOld() || (follower.known.target != null && follower.known.target.isTooOld())) {
            return lose(follower);
        }
        if (follower.held || (follower.known.target == null && isEarly(follower))) {
            return 0;
        }
        Snapshot target = follower.known.target;
        if (target == null) {
            if (follower.pending.isEmpty()) {
                if (follower.isSuperseded()) {
                    return end(follower);
                }
                onCaughtUp(follower, since, null);
                return 1;
            }
            target =
                    follower.known.last == null ? snapshots.openOwn(log.lastSequence(), onTooOld) : follower.known.last;
            follower.known.last = null;
            follower.known.target = target;
            final RowSet changed = follower.pending;
            follower.pending = follower.draining;
            follower.draining = changed;
            if (follower.conflation != null) {
                follower.conflation.begin();
            }
        }
        final KeyConflation conflation = follower.conflation;
        if (conflation != null && conflation.lookedAt() < follower.draining.count()) {
            return conflate(follower, conflation, since, target);
        }
        final int sent = send(follower, since, target);
        if (follower.draining.isEmpty()) {
            onCaughtUp(follower, since, target);
        }
        return sent;
    }

    private boolean isEarly(final StateFollower follower) {
        return follower.isConflated() && !follower.isSuperseded() && nowNs - follower.dueNs < 0;
    }

    /** Reports that a follower has ended, as soon as there is room. */
    private int end(final StateFollower follower) {
        if (follower.left
                || !follower.ring()
                        .offer(Descriptor.TYPE_ENDED, follower.interest().feed(), topic.shard(), 0, 0)) {
            return 0;
        }
        follower.left = true;
        left.add(follower);
        return 1;
    }

    /** Its client knows the state of the target, or of now when nothing has changed. */
    private void onCaughtUp(final StateFollower follower, final Snapshot since, final @Nullable Snapshot target) {
        follower.draining.clear();
        follower.topic.forgetEarlier(follower);
        follower.known.target = null;
        follower.known.since = null;
        if (follower.isConflated()) {
            follower.known.since = target == null ? snapshots.openOwn(log.lastSequence(), onTooOld) : target;
            follower.dueNs = nowNs + follower.options.conflationNs();
        } else if (target != null && (follower.isSuperseded() || !follower.pending.isEmpty())) {
            follower.known.since = target;
        } else if (target != null) {
            snapshots.close(target);
        }
        snapshots.close(since);
    }

    /** Looks at the changed rows, some at a time, before the first one is sent. */
    private int conflate(
            final StateFollower follower, final KeyConflation conflation, final Snapshot since, final Snapshot target) {
        final RowSet rows = follower.draining;
        final int start = conflation.lookedAt();
        final int end = Math.min(start + ROW_LIMIT, rows.count());
        for (int i = start; i < end; i++) {
            final int row = rows.at(i);
            final long before = store.versionAt(row, since.sequence());
            final long after = store.versionAt(row, target.sequence());
            if (after != 0
                    && follower.group.matches(versions.after(after))
                    && (before != after || !matched(follower, before))) {
                conflation.onRecord(row, after, target.sequence());
            } else {
                conflation.onOther(row, before != after);
            }
        }
        return end - start;
    }

    /** Whether a follower's client has a record, by the filter that its state is by. */
    private boolean matched(final StateFollower follower, final long before) {
        return before != 0 && follower.last().group.matches(versions.before(before));
    }

    private int send(final StateFollower follower, final Snapshot since, final Snapshot target) {
        final RowSet rows = follower.draining;
        int count = 0;
        follower.inRun.mark = rows.mark();
        while (!rows.isEmpty() && count < ROW_LIMIT && send(follower, rows.peek(), since, target)) {
            rows.taken();
            count++;
        }
        return flush(follower) ? count : 0;
    }

    private boolean send(final StateFollower follower, final int row, final Snapshot since, final Snapshot target) {
        final long before = store.versionAt(row, since.sequence());
        final long after = store.versionAt(row, target.sequence());
        if (before == after && follower.known.earlier == null) {
            return true;
        }
        final boolean matchedBefore = matched(follower, before);
        final boolean matchesNow = after != 0 && follower.group.matches(versions.after(after));
        if ((before == after && matchedBefore == matchesNow)
                || (!matchesNow && !(matchedBefore && follower.options.oof()))) {
            return true;
        }
        final KeyConflation conflation = follower.conflation;
        if (matchesNow && conflation != null && conflation.isPassedOver(row)) {
            return true;
        }
        final long version = after != 0 ? after : before;
        derived.onChange(
                before,
                after,
                after != 0 ? Version.sequence(after) : store.deletedAt(row),
                Version.timestampNs(version));
        final boolean isDelta = matchesNow
                && matchedBefore
                && follower.options.delta()
                && (conflation == null || !conflation.isWhole(row));
        final long delta = isDelta ? derived.delta(follower) : DerivedRecords.TOO_LONG;
        final boolean isWhole = delta == DerivedRecords.TOO_LONG;
        final boolean isHidden =
                !matchesNow && after != 0 && follower.interest().isLimited();
        final long whole = isHidden ? derived.before(follower) : isWhole ? derived.selected(follower, -1) : NO_ROOM;
        final long position = isWhole ? whole : delta;
        return position == DerivedRecords.NOTHING
                || (position != NO_ROOM && enqueue(follower, position, kind(matchesNow, !isWhole, after, before)));
    }

    private int kind(final boolean matchesNow, final boolean isDelta, final long after, final long before) {
        if (matchesNow) {
            return (isDelta ? DeliveryKind.DELTA : DeliveryKind.PUBLISH).value();
        }
        if (after != 0) {
            return DeliveryKind.OOF_MATCH.value();
        }
        return (Version.expiresNs(before) <= nowNs ? DeliveryKind.OOF_EXPIRED : DeliveryKind.OOF_DELETED).value();
    }

    private boolean enqueue(final StateFollower follower, final long position, final int kind) {
        final int length = log.alignedLength(position);
        if (follower.run().add(position, length, topic.id(), log.isSegmentStart(position), kind)) {
            return true;
        }
        if (!flush(follower)) {
            return false;
        }
        follower.inRun.mark = follower.draining.mark();
        return follower.run().add(position, length, topic.id(), log.isSegmentStart(position), kind);
    }

    private boolean flush(final StateFollower follower) {
        if (follower.run().flush(follower.ring(), follower.interest().feed(), topic.shard())) {
            return true;
        }
        follower.run().clear();
        follower.draining.back(follower.inRun.mark);
        return false;
    }

    /** The state has to be sent anew: its client's snapshot is too old, or it is another topic's. */
    private int lose(final StateFollower follower) {
        if (follower.loss == Loss.NONE) {
            follower.loss = Loss.TOO_OLD;
        }
        follower.known.close(snapshots);
        final boolean isDeleted = follower.loss == Loss.TOPIC_DELETED;
        final int type = isDeleted ? Descriptor.TYPE_TOPIC_DELETED : Descriptor.TYPE_FELL_BEHIND;
        if (!follower.isLossNotified
                && follower.ring().offer(type, follower.interest().feed(), topic.shard(), 0, 0)) {
            follower.isLossNotified = true;
            return 1;
        }
        return 0;
    }
}
