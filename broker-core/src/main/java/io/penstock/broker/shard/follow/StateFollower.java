package io.penstock.broker.shard.follow;

import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.FilterGroup;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.Matcher;
import io.penstock.broker.shard.match.ShardFeed;
import io.penstock.broker.shard.store.Snapshot;
import org.agrona.collections.IntArrayList;
import org.jspecify.annotations.Nullable;

/**
 * One subscription that follows the records of a topic with state. Confined to the sequencer.
 *
 * <pre>
 *   LIVE --ring full--> BEHIND --all changes since then were sent--> LIVE
 * </pre>
 *
 * While it is behind, the changed rows are kept, and a snapshot of what its client knows; it catches up by what the
 * rows are now, however often they changed. A conflated one is always behind, and catches up when its time has come.
 */
final class StateFollower extends ShardFeed<StateFollower> implements Matcher.Member {
    final StateFollowers topic;
    final FollowOptions options;
    final FilterGroup<StateFollower> group;

    /** Among those of its group. */
    private int place;

    /** Rows in the run, so that it can be taken back. */
    final IntArrayList runRows = new IntArrayList();

    /** Where the rows of the run start in {@link #draining}. */
    int runMark;

    /** Sequence of the first change in the run. */
    long runSequence;

    /** Whether its client is being sent the state, so that nothing else may be sent yet. */
    boolean held;

    /** Where it is among those that are behind; negative when it is not. */
    int placeBehind = -1;

    /** What its client knows; null when it is live. */
    @Nullable
    Snapshot since;

    /** What its client will know when it has caught up; null when it is not catching up. */
    @Nullable
    Snapshot target;

    /** What its client knows last, when it is {@link #isSuperseded() superseded} and notified of all up to then; null when nothing has changed after {@link #target}. */
    @Nullable
    Snapshot last;

    /** Whether its I/O agent knows that it has left. */
    boolean left;

    /** Rows changed after {@link #target}, or after {@link #since} when there is none. */
    RowSet pending = new RowSet();

    /** Rows changed after {@link #since} and not after {@link #target}. */
    RowSet draining = new RowSet();

    /** Of rows with the same key only one is told; null when all are. */
    final @Nullable KeyConflation conflation;

    /** When a conflated one sends next. */
    long dueNs;

    /** Whether its client has to be sent the state anew, because its snapshot is too old or its topic was deleted. */
    boolean lost;

    /** Whether its topic was deleted. */
    boolean isTopicDeleted;

    /** Whether its I/O agent knows that it is lost. */
    boolean isLossNotified;

    StateFollower(
            final StateFollowers topic,
            final Interest interest,
            final FollowOptions options,
            final DescriptorRing ring,
            final FilterGroup<StateFollower> group,
            final @Nullable KeyConflation conflation) {
        super(interest, ring);
        this.topic = topic;
        this.options = options;
        this.group = group;
        this.conflation = conflation;
    }

    /** A row has changed while it is behind. */
    void noteChange(final int row) {
        if (!isSuperseded()) {
            pending.add(row);
        }
    }

    boolean isLive() {
        return since == null && !lost;
    }

    /** Lagging ones note every change, whatever their filters say of it. */
    @Override
    public boolean wants(final int recordIndex) {
        return isLive() && (recordIndex == VersionReader.NEW || options.oof());
    }

    @Override
    public int place() {
        return place;
    }

    @Override
    public void place(final int value) {
        place = value;
    }

    boolean isConflated() {
        return options.conflationNs() > 0;
    }
}
