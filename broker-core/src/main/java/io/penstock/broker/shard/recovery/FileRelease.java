package io.penstock.broker.shard.recovery;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.journal.JournalRetention;
import io.penstock.broker.journal.snapshot.SnapshotFiles;
import io.penstock.broker.shard.log.ShardCounters;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochNanoClock;

/** Lets go of a shard's files that neither retention nor a snapshot needs, now and then. Confined to the keeper. */
public final class FileRelease {
    private static final long RETENTION_NS = TimeUnit.SECONDS.toNanos(1);

    private final JournalFiles files;
    private final JournalRetention retention;
    private final SnapshotFiles snapshots;
    private final ShardCounters counters;
    private final EpochNanoClock epochClock;
    private final EventLog events;
    private long lookedNs;
    private long lastSnapshots = -1;
    private int lastFileCount;
    private boolean isFailed;

    /**
     * Makes the release of files.
     *
     * @param files      of the shard's log.
     * @param retention  of these files; freed by {@link #free()}.
     * @param snapshots  of the shard, of which some need records of the log.
     * @param counters   of the shard.
     * @param epochClock for the age of files.
     * @param events     for the operator.
     */
    public FileRelease(
            final JournalFiles files,
            final JournalRetention retention,
            final SnapshotFiles snapshots,
            final ShardCounters counters,
            final EpochNanoClock epochClock,
            final EventLog events) {
        this.files = files;
        this.retention = retention;
        this.snapshots = snapshots;
        this.counters = counters;
        this.epochClock = epochClock;
        this.events = events;
    }

    /** Lets files go when there may be some. Returns how many. */
    int doWork(final long nowNs) throws IOException {
        if (!retention.isUsed()) {
            return 0;
        }
        final long taken = counters.snapshots().get();
        final boolean isSame = taken == lastSnapshots && files.count() == lastFileCount;
        if ((isSame || isFailed) && nowNs - lookedNs < RETENTION_NS) {
            return 0;
        }
        lookedNs = nowNs;
        lastSnapshots = taken;
        isFailed = true;
        int count = 0;
        final long needed = snapshots.needed();
        while (retention.release(epochClock.nanoTime(), needed)) {
            count++;
            counters.filesReleased().incrementPlain();
        }
        isFailed = false;
        lastFileCount = files.count();
        if (count > 0) {
            events.report(EventKind.FILES_RELEASED, "shard", files.shard(), "released", count, "kept", lastFileCount);
        }
        return count;
    }

    void free() {
        retention.free();
    }
}
