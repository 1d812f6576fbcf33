package io.penstock.broker.shard.state;

import io.penstock.broker.shard.store.Snapshot;
import io.penstock.broker.shard.store.Snapshots;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the versions of records before changes that are not enqueued yet: a follower that starts to lag goes back to
 * them. Owned by the sequencer.
 */
final class BeforeChanges {
    private final Snapshots snapshots;
    private @Nullable Snapshot held;

    /** Whether a change is being applied, so that it is not enqueued yet, whatever else is. */
    private boolean isChanging;

    BeforeChanges(final Snapshots snapshots) {
        this.snapshots = snapshots;
    }

    private static void notifyNobody() {}

    /** A change begins to be applied. */
    void onBegin() {
        isChanging = true;
    }

    /** The change was applied, or there was no room for it. */
    void onEnd() {
        isChanging = false;
    }

    boolean isHeld() {
        return held != null;
    }

    /** Keeps the state as of a sequence, unless an earlier one is kept. */
    void hold(final long sequence) {
        if (held == null) {
            held = snapshots.openOwn(sequence, BeforeChanges::notifyNobody);
        }
    }

    /** Everything was enqueued but the change that is being applied. */
    void release() {
        final Snapshot present = held;
        if (present != null && !isChanging) {
            snapshots.close(present);
            held = null;
        }
    }
}
