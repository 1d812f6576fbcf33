package io.penstock.broker.shard.recovery;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.journal.JournalIndexes;
import io.penstock.broker.journal.JournalRetention;
import io.penstock.broker.journal.JournalSpares;
import io.penstock.broker.journal.KnownFiles;
import io.penstock.broker.journal.snapshot.SnapshotFiles;
import io.penstock.broker.shard.log.ShardCounters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochNanoClock;

/** What the keeper does for one shard. Confined to the keeper. */
public final class ShardKeeper {
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long RETENTION_NS = TimeUnit.SECONDS.toNanos(1);

    private final JournalFiles files;
    private final KnownFiles known;
    private final JournalSpares spares;
    private final JournalIndexes indexes;
    private final JournalRetention retention;
    private final SnapshotFiles snapshotFiles;
    private final ShardSnapshots snapshots;
    private final ShardCounters counters;
    private final EpochNanoClock epochClock;
    private final EventLog events;
    private long retryNs;
    private boolean isRetrying;
    private long retentionNs;
    private long lastSnapshots = -1;
    private int lastFileCount;
    private boolean isReleaseFailed;
    private long noteRetryNs;
    private boolean isNoteFailed;

    public ShardKeeper(
            final JournalFiles files,
            final KnownFiles known,
            final JournalSpares spares,
            final JournalIndexes indexes,
            final JournalRetention retention,
            final SnapshotFiles snapshotFiles,
            final ShardSnapshots snapshots,
            final ShardCounters counters,
            final EpochNanoClock epochClock,
            final EventLog events) {
        this.files = files;
        this.known = known;
        this.spares = spares;
        this.indexes = indexes;
        this.retention = retention;
        this.snapshotFiles = snapshotFiles;
        this.snapshots = snapshots;
        this.counters = counters;
        this.epochClock = epochClock;
        this.events = events;
    }

    public ShardSnapshots snapshots() {
        return snapshots;
    }

    /** Does a piece of each kind of work. Throws what went wrong; all of it is tried again. */
    public int doWork(final long nowNs) {
        try {
            // Before a spare is made, as a file that goes becomes one.
            return note(nowNs) + release(nowNs) + prepare(nowNs) + storeIndex() + snapshots.doWork(nowNs);
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "journal: shard " + files.shard() + " in " + files.storage().path("") + ": " + e.getMessage(), e);
        }
    }

    public void close() {
        snapshots.close();
        retention.free();
    }

    private int note(final long nowNs) throws IOException {
        if (files.isNoted(known) || (isNoteFailed && nowNs - noteRetryNs < 0)) {
            return 0;
        }
        noteRetryNs = nowNs + RETRY_NS;
        isNoteFailed = true;
        files.note(known);
        isNoteFailed = false;
        return 1;
    }

    private int release(final long nowNs) throws IOException {
        if (!retention.isUsed()) {
            return 0;
        }
        final long taken = counters.snapshots().get();
        final boolean isSame = taken == lastSnapshots && files.count() == lastFileCount;
        if ((isSame || isReleaseFailed) && nowNs - retentionNs < RETENTION_NS) {
            return 0;
        }
        retentionNs = nowNs;
        lastSnapshots = taken;
        isReleaseFailed = true;
        int count = 0;
        final long needed = snapshotFiles.needed();
        while (retention.release(epochClock.nanoTime(), needed)) {
            count++;
            counters.filesReleased().incrementPlain();
        }
        isReleaseFailed = false;
        lastFileCount = files.count();
        if (count > 0) {
            events.report(EventKind.FILES_RELEASED, "shard", files.shard(), "released", count, "kept", lastFileCount);
        }
        return count;
    }

    private int prepare(final long nowNs) {
        if (isRetrying && nowNs - retryNs < 0) {
            return 0;
        }
        isRetrying = false;
        if (spares.prepare()) {
            return 1;
        }
        if (spares.problem() != null) {
            isRetrying = true;
            retryNs = nowNs + RETRY_NS;
        }
        return 0;
    }

    private int storeIndex() throws IOException {
        return switch (indexes.store()) {
            case NOTHING -> 0;
            case STORED -> 1;
            case REBUILT -> {
                counters.indexesRebuilt().incrementPlain();
                yield 1;
            }
        };
    }
}
