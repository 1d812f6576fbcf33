package io.penstock.broker.shard.follow;

import java.util.ArrayList;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The followers of one topic that are not live, because their ring was full, they are sent the state first, or they are
 * conflated. Owned by the sequencer.
 */
final class LaggingFollowers {
    private final ArrayList<StateFollower> followers = new ArrayList<>();
    private final AtomicCounter laggingCount;

    /** Counts those that are not conflated. */
    LaggingFollowers(final AtomicCounter laggingCount) {
        this.laggingCount = laggingCount;
    }

    int count() {
        return followers.size();
    }

    StateFollower get(final int index) {
        return followers.get(index);
    }

    /** It is not live from now on. */
    void add(final StateFollower follower) {
        follower.placeLagging = followers.size();
        followers.add(follower);
        if (!follower.isConflated()) {
            laggingCount.incrementRelease();
        }
    }

    /** It is live, or has ended; does nothing when it was not here. The last one moves to its place. */
    void remove(final StateFollower follower) {
        if (follower.placeLagging < 0) {
            return;
        }
        final StateFollower last = followers.remove(followers.size() - 1);
        if (last != follower) {
            followers.set(follower.placeLagging, last);
            last.placeLagging = follower.placeLagging;
        }
        follower.placeLagging = -1;
        if (!follower.isConflated()) {
            laggingCount.decrementRelease();
        }
    }

    /** When they are to be looked at next. */
    long workNs() {
        long workNs = Long.MAX_VALUE;
        for (int i = 0, size = followers.size(); i < size; i++) {
            workNs = Math.min(workNs, workNs(followers.get(i)));
        }
        return workNs;
    }

    /** When a follower is to be looked at: when it has something to send, and once in its interval in any case. */
    static long workNs(final StateFollower follower) {
        final boolean isWaiting =
                follower.isLost() ? follower.isLossNotified : follower.held || !follower.isConflated();
        return isWaiting ? dueNs(follower) : Math.min(dueNs(follower), follower.dueNs);
    }

    /**
     * When there is something to send without a new change: 0 for as soon as there is room, {@link Long#MAX_VALUE} for
     * never.
     */
    long dueNs() {
        long dueNs = Long.MAX_VALUE;
        for (int i = 0, size = followers.size(); i < size; i++) {
            dueNs = Math.min(dueNs, dueNs(followers.get(i)));
        }
        return dueNs;
    }

    /** The same, of one of them. */
    static long dueNs(final StateFollower follower) {
        if (follower.isLost() ? follower.isLossNotified : follower.held) {
            return Long.MAX_VALUE;
        }
        if (follower.isLost() || follower.isSuperseded() || !follower.isConflated() || follower.known.target != null) {
            return 0;
        }
        return follower.pending.isEmpty() ? Long.MAX_VALUE : follower.dueNs;
    }
}
