package io.penstock.broker.state;

import org.jspecify.annotations.Nullable;

/**
 * Which sequences readers look at; one for all stores of a shard. Owned by the writer: readers get a {@link Snapshot}
 * from it and let it know when they are done, by the means that agents have for that.
 */
public final class Snapshots {
    private @Nullable Snapshot first;
    private @Nullable Snapshot last;
    private long oldest = Long.MAX_VALUE;
    private long freedBefore = Long.MIN_VALUE;
    private int openCount;

    /** Makes it, with nothing open. */
    public Snapshots() {}

    /**
     * Opens a snapshot. The same sequence may be open several times.
     *
     * @param sequence of the last change that was applied.
     * @return the snapshot, to be closed by {@link #close}.
     * @throws IllegalArgumentException when versions that it would show were freed already.
     */
    public Snapshot open(final long sequence) {
        if (sequence < freedBefore) {
            throw new IllegalArgumentException(
                    "snapshot: behind what was freed: " + sequence + " (use " + freedBefore + " or later)");
        }
        final Snapshot snapshot = new Snapshot(sequence);
        Snapshot before = last;
        while (before != null && before.sequence() > sequence) {
            before = before.older;
        }
        link(snapshot, before, before == null ? first : before.newer);
        openCount++;
        return snapshot;
    }

    /**
     * Closes a snapshot. What it alone has kept is freed by {@link StateStore#reclaim}.
     *
     * @param snapshot that no reader uses any more; one that is closed already stays closed.
     */
    public void close(final Snapshot snapshot) {
        if (snapshot.isOpen) {
            snapshot.isOpen = false;
            openCount--;
            unlink(snapshot);
        }
    }

    /**
     * The lowest sequence that is open, too old or not.
     *
     * @return sequence; {@code Long.MAX_VALUE} when none is.
     */
    public long oldest() {
        return oldest;
    }

    /**
     * How many snapshots are open.
     *
     * @return count.
     */
    public int openCount() {
        return openCount;
    }

    /** The lowest sequence that is open and not too old; {@code Long.MAX_VALUE} when none is. */
    long oldestInTime() {
        final Snapshot snapshot = firstInTime();
        return snapshot == null ? Long.MAX_VALUE : snapshot.sequence();
    }

    /** Makes the oldest snapshots too old: those of the lowest sequence among the ones that are not yet. */
    void expireOldest() {
        final Snapshot oldestInTime = firstInTime();
        Snapshot snapshot = oldestInTime;
        while (oldestInTime != null && snapshot != null && snapshot.sequence() == oldestInTime.sequence()) {
            snapshot.expire();
            snapshot = snapshot.newer;
        }
    }

    /** Notes that versions that ended at a sequence are gone. */
    void onFreed(final long end) {
        if (end > freedBefore) {
            freedBefore = end;
        }
    }

    private @Nullable Snapshot firstInTime() {
        Snapshot snapshot = first;
        while (snapshot != null && snapshot.isTooOld()) {
            snapshot = snapshot.newer;
        }
        return snapshot;
    }

    private void link(final Snapshot snapshot, final @Nullable Snapshot older, final @Nullable Snapshot newer) {
        snapshot.older = older;
        snapshot.newer = newer;
        if (older == null) {
            first = snapshot;
            oldest = snapshot.sequence();
        } else {
            older.newer = snapshot;
        }
        if (newer == null) {
            last = snapshot;
        } else {
            newer.older = snapshot;
        }
    }

    private void unlink(final Snapshot snapshot) {
        final Snapshot older = snapshot.older;
        final Snapshot newer = snapshot.newer;
        if (older == null) {
            first = newer;
            oldest = newer == null ? Long.MAX_VALUE : newer.sequence();
        } else {
            older.newer = newer;
        }
        if (newer == null) {
            last = older;
        } else {
            newer.older = older;
        }
        snapshot.older = null;
        snapshot.newer = null;
    }
}
