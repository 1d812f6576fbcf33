package io.penstock.broker.shard.follow;

import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.FilterGroup;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.Matcher;
import io.penstock.broker.shard.match.ShardFeed;
import org.jspecify.annotations.Nullable;

/**
 * One subscription that follows the records of a topic with state. Confined to the sequencer.
 *
 * <pre>
 *   LIVE --ring full--> LAGGING --all changes since then were sent--> LIVE
 * </pre>
 *
 * While it lags, the changed rows are noted, and a snapshot of the state that its client knows is kept; it catches up with the present versions of the rows, however often they changed. A conflated follower always lags, and catches up when its interval is over.
 */
final class StateFollower extends ShardFeed<StateFollower> implements Matcher.Member {
    /** Why it cannot catch up. */
    enum Loss {
        /** It can. */
        NONE,
        /** The snapshot of what its client knows is too old. */
        TOO_OLD,
        /** Its topic was deleted. */
        TOPIC_DELETED,
        /** Another follower, with another filter, has taken its place. */
        CHANGED
    }

    final StateFollowers topic;
    final FollowOptions options;
    final FilterGroup<StateFollower> group;

    /** Among those of its group. */
    private int place;

    /** The rows in its run. */
    final RunRows inRun = new RunRows();

    /** Whether its client is being sent the state, so that nothing else may be sent yet. */
    boolean held;

    /** Where it is among the lagging ones; negative when it does not lag. */
    int placeLagging = -1;

    /** The states that its client knows. */
    final KnownStates known = new KnownStates();

    /** Whether its I/O agent knows that it has left. */
    boolean left;

    /** Rows changed after the target, or after what its client knows when there is none. */
    RowSet pending = new RowSet();

    /** Rows changed after what its client knows and not after the target. */
    RowSet draining = new RowSet();

    /** Merges rows with the same key; null when all rows are sent. */
    final @Nullable KeyConflation conflation;

    /** When a conflated one sends next. */
    long dueNs;

    /** Why its client has to be sent the state anew. */
    Loss loss = Loss.NONE;

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

    /** A row has changed while it lags. */
    void noteChange(final int row) {
        if (!isSuperseded()) {
            pending.add(row);
        }
    }

    boolean isLost() {
        return loss != Loss.NONE;
    }

    boolean isLive() {
        return known.since == null && !isLost();
    }

    /** Lagging ones note every change, whatever their filters say of it. */
    @Override
    public boolean wants(final int recordIndex) {
        return placeLagging < 0 && loss != Loss.CHANGED && (recordIndex == VersionReader.NEW || options.oof());
    }

    @Override
    public int place() {
        return place;
    }

    @Override
    public void place(final int value) {
        place = value;
    }

    /** The one by whose filter its client's state is. */
    StateFollower last() {
        final StateFollower before = known.earlier;
        return before == null ? this : before;
    }

    boolean isConflated() {
        return options.conflationNs() > 0;
    }
}
