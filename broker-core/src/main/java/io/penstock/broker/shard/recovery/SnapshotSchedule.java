package io.penstock.broker.shard.recovery;

import io.penstock.broker.journal.JournalSettings;
import io.penstock.broker.journal.JournalStatus;
import io.penstock.broker.shard.log.ShardCounters;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** When the next snapshot of a shard is due. Confined to the keeper, but for {@link #request()}. */
public final class SnapshotSchedule {
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(10);

    private final JournalSettings.Snapshots settings;
    private final ShardCounters counters;
    private final AtomicBoolean isRequested = new AtomicBoolean();
    private long lastSequence;
    private long lastNs;
    private long lastBytes;
    private long openedBytes;
    private long retryNs;
    private boolean isRetrying;

    /**
     * Makes a schedule.
     *
     * @param settings      how often one is due.
     * @param counters      of the shard.
     * @param lastSequence  of the snapshot that the broker has started from, or 0.
     * @param replayedBytes bytes of records after it.
     * @param nowNs         of the clock of timers.
     */
    public SnapshotSchedule(
            final JournalSettings.Snapshots settings,
            final ShardCounters counters,
            final long lastSequence,
            final long replayedBytes,
            final long nowNs) {
        this.settings = settings;
        this.counters = counters;
        this.lastSequence = lastSequence;
        lastBytes = -replayedBytes;
        lastNs = nowNs;
        counters.snapshotSequence().setRelease(lastSequence);
    }

    /** Sequence of the newest stored snapshot; 0 for none. */
    long lastSequence() {
        return lastSequence;
    }

    /** Makes one due as soon as may be. Any thread. */
    void request() {
        isRequested.set(true);
    }

    boolean isDue(final long nowNs) {
        if (isRetrying && nowNs - retryNs < 0) {
            return false;
        }
        isRetrying = false;
        final boolean isNew = counters.lastSequence().get() > lastSequence;
        if (isRequested.getAndSet(false)) {
            return true;
        }
        if (!isNew || counters.journalStatus().get() == JournalStatus.FAILED) {
            return false;
        }
        return (settings.intervalLength() > 0 && counters.journalBytes().get() - lastBytes >= settings.intervalLength())
                || (settings.intervalNs() > 0 && nowNs - lastNs >= settings.intervalNs());
    }

    /** One is begun. */
    void onBegun() {
        openedBytes = counters.journalBytes().get();
    }

    /** The one that was begun is stored. */
    void onStored(final long sequence, final long nowNs) {
        lastSequence = sequence;
        lastNs = nowNs;
        lastBytes = openedBytes;
    }

    /** The one that was begun was given up, and is tried again later. */
    void onGivenUp(final long nowNs) {
        isRetrying = true;
        retryNs = nowNs + RETRY_NS;
    }
}
