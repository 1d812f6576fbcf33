package io.penstock.broker.shard.recovery;

import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.journal.JournalIndexes;
import io.penstock.broker.journal.JournalSpares;
import io.penstock.broker.journal.KnownFiles;
import io.penstock.broker.shard.log.ShardCounters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/** The keeper's work for one shard. Confined to the keeper. */
public final class ShardKeeper {
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    private final JournalFiles files;
    private final KnownFiles known;
    private final JournalSpares spares;
    private final JournalIndexes indexes;
    private final FileRelease release;
    private final ShardSnapshots snapshots;
    private final ShardCounters counters;
    private long retryNs;
    private boolean isRetrying;
    private long noteRetryNs;
    private boolean isNoteFailed;

    /**
     * Makes a keeper of one shard's files.
     *
     * @param files     of the shard's log.
     * @param known     says which of them there have to be.
     * @param spares    files made ahead.
     * @param indexes   of the files.
     * @param release   lets files go.
     * @param snapshots of the shard.
     * @param counters  of the shard.
     */
    public ShardKeeper(
            final JournalFiles files,
            final KnownFiles known,
            final JournalSpares spares,
            final JournalIndexes indexes,
            final FileRelease release,
            final ShardSnapshots snapshots,
            final ShardCounters counters) {
        this.files = files;
        this.known = known;
        this.spares = spares;
        this.indexes = indexes;
        this.release = release;
        this.snapshots = snapshots;
        this.counters = counters;
    }

    public ShardSnapshots snapshots() {
        return snapshots;
    }

    /** Does a piece of each kind of work. Throws what went wrong; all of it is tried again. */
    public int doWork(final long nowNs) {
        try {
            // Before a spare is made, as a file that goes becomes one.
            return note(nowNs) + release.doWork(nowNs) + prepare(nowNs) + storeIndex() + snapshots.doWork(nowNs);
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "journal: shard " + files.shard() + " in " + files.storage().path("") + ": " + e.getMessage(), e);
        }
    }

    public void close() {
        snapshots.close();
        release.free();
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
