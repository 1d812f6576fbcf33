package io.penstock.broker.shard.follow;

import io.penstock.broker.shard.store.Snapshot;
import io.penstock.broker.shard.store.Snapshots;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots of the state that a follower's client knows, with the filter it is by, and of the one that it gets next.
 * Confined to the sequencer.
 */
final class KnownStates {
    /** The state that the client knows; null when the follower is live or lost. */
    @Nullable
    Snapshot since;

    /** The state that it will know when the follower has caught up; null when it is not catching up. */
    @Nullable
    Snapshot target;

    /** The last state of a superseded follower's client; null when nothing is due after the target. */
    @Nullable
    Snapshot last;

    /**
     * By whose filter the known state is: of the follower whose place this one has taken with another filter. Null once this
     * one has caught up, and when there was none.
     */
    @Nullable
    StateFollower earlier;

    /** Gives all snapshots back. */
    void close(final Snapshots snapshots) {
        close(since, snapshots);
        close(target, snapshots);
        close(last, snapshots);
        since = null;
        target = null;
        last = null;
    }

    private static void close(final @Nullable Snapshot snapshot, final Snapshots snapshots) {
        if (snapshot != null) {
            snapshots.close(snapshot);
        }
    }
}
