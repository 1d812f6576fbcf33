package io.penstock.broker.shard.store;

import org.jspecify.annotations.Nullable;

/**
 * Which sequences readers look at; one for all stores of a shard. Owned by the writer: readers get a {@link Snapshot}
 * from it and let it know when they are done, by the means that agents have for that.
 */
public final class Snapshots {
    private static final int UNUSED_COUNT_MAX = 1024;

    private @Nullable Snapshot first;
    private @Nullable Snapshot last;
    private long oldest = Long.MAX_VALUE;
    private long freedBefore = Long.MIN_VALUE;
    private int openCount;

    /** Closed ones of the writer's own, linked by {@link Snapshot#newer}. */
    private @Nullable Snapshot unused;

    private int unusedCount;

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
        return open(new Snapshot(false, sequence), sequence);
    }

    /**
     * Opens a snapshot that nobody but the writer reads, and that is used again when it was closed; allocates nothing
     * once warm.
     *
     * @param sequence of the last change that was applied.
     * @param onTooOld is run when it becomes too old, within the change that makes it so.
     * @return the snapshot, to be closed by {@link #close}, once, and not to be used after that.
     * @throws IllegalArgumentException when versions that it would show were freed already.
     */
    public Snapshot openOwn(final long sequence, final Runnable onTooOld) {
        Snapshot snapshot = unused;
        if (snapshot == null) {
            snapshot = new Snapshot(true, sequence);
        } else {
            unused = snapshot.newer;
            unusedCount--;
        }
        snapshot.begin(sequence, onTooOld);
        return open(snapshot, sequence);
    }

    private Snapshot open(final Snapshot snapshot, final long sequence) {
        if (sequence < freedBefore) {
            throw new IllegalArgumentException(
                    "snapshot: behind what was freed: " + sequence + " (use " + freedBefore + " or later)");
        }
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
        if (!snapshot.isOpen) {
            return;
        }
        snapshot.end();
        openCount--;
        unlink(snapshot);
        if (snapshot.isOwn && unusedCount < UNUSED_COUNT_MAX) {
            snapshot.newer = unused;
            unused = snapshot;
            unusedCount++;
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

    /**
     * Makes snapshots too old, so that their readers have them closed and what only they keep is freed.
     *
     * @param sequence before which they were opened.
     * @return count of those that were not too old before.
     */
    public int expireBefore(final long sequence) {
        int count = 0;
        for (Snapshot each = first; each != null && each.sequence() < sequence; each = each.newer) {
            if (!each.isTooOld()) {
                each.expire();
                count++;
            }
        }
        return count;
    }

    /** Notes that versions that ended at a sequence are freed. */
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
