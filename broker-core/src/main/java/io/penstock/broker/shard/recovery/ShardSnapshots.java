package io.penstock.broker.shard.recovery;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.journal.JournalSettings;
import io.penstock.broker.journal.JournalStatus;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.broker.journal.snapshot.SnapshotFiles;
import io.penstock.broker.journal.snapshot.SnapshotWriter;
import io.penstock.broker.shard.log.ShardCounters;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.EpochNanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Writes one shard's state to files, now and then, a piece at a time. Confined to the keeper. A file gets its name when
 * the log is on stable storage up to its sequence, so that none is ever ahead of the log.
 */
public final class ShardSnapshots {
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(10);

    private final JournalSettings settings;
    private final JournalFiles files;
    private final SnapshotFiles snapshots;
    private final ImageExchange exchange;
    private final ShardCounters counters;
    private final EpochNanoClock epochClock;
    private final int epoch;
    private final EventLog events;
    private final AtomicBoolean isRequested = new AtomicBoolean();
    private boolean isOpening;
    private @Nullable ShardImage image;
    private @Nullable SnapshotWriter file;
    private @Nullable ImageWriter content;
    private long lastSequence;
    private long lastNs;
    private long lastBytes;
    private long openedBytes;
    private long retryNs;
    private boolean isRetrying;

    /**
     * @param epoch         of this run.
     * @param lastSequence  of the snapshot that the broker has started from, or 0.
     * @param replayedBytes bytes of records after it.
     * @param nowNs         of the clock of timers.
     * @param events        for those who run the broker.
     */
    public ShardSnapshots(
            final JournalSettings settings,
            final JournalFiles files,
            final SnapshotFiles snapshots,
            final ImageExchange exchange,
            final ShardCounters counters,
            final EpochNanoClock epochClock,
            final int epoch,
            final long lastSequence,
            final long replayedBytes,
            final long nowNs,
            final EventLog events) {
        this.settings = settings;
        this.files = files;
        this.snapshots = snapshots;
        this.exchange = exchange;
        this.counters = counters;
        this.epochClock = epochClock;
        this.epoch = epoch;
        this.events = events;
        this.lastSequence = lastSequence;
        lastBytes = -replayedBytes;
        lastNs = nowNs;
        counters.snapshotSequence().setRelease(lastSequence);
    }

    /** Asks for a snapshot as soon as may be. Any thread. */
    public void request() {
        isRequested.set(true);
    }

    /** Does a piece of work. Returns how many newer snapshots there are. Throws when an attempt was given up. */
    int doWork(final long nowNs) {
        try {
            if (file != null) {
                return write(file, nowNs);
            }
            if (isOpening) {
                return open();
            }
        } catch (final IOException | IllegalStateException e) {
            giveUp(nowNs);
            events.report(EventKind.SNAPSHOT_FAILED, "shard", files.shard(), "reason", String.valueOf(e.getMessage()));
            throw new IllegalStateException(
                    "snapshot of shard " + files.shard() + ": given up, tried again later: " + e.getMessage(), e);
        }
        if (isDue(nowNs)) {
            openedBytes = counters.journalBytes().get();
            isOpening = true;
            exchange.request();
            return 1;
        }
        return 0;
    }

    /** Gives up what was begun. When the sequencer does not run any more. */
    void close() {
        image = null;
        discard();
    }

    private boolean isDue(final long nowNs) {
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
        return (settings.snapshotLength() > 0 && counters.journalBytes().get() - lastBytes >= settings.snapshotLength())
                || (settings.snapshotNs() > 0 && nowNs - lastNs >= settings.snapshotNs());
    }

    private int open() throws IOException {
        final ShardImage taken = exchange.take();
        if (taken == null) {
            return 0;
        }
        isOpening = false;
        image = taken;
        if (taken.sequence() <= lastSequence) {
            // Nothing has changed: the last one is as good.
            giveBack();
            counters.snapshots().incrementPlain();
            return 1;
        }
        final SnapshotWriter opened = new SnapshotWriter(
                files.storage(), files.shard(), files.logId(), taken.sequence(), epoch, epochClock.nanoTime());
        file = opened;
        content = new ImageWriter(taken, opened);
        return 1;
    }

    private int write(final SnapshotWriter to, final long nowNs) throws IOException {
        final ImageWriter from = content;
        if (from == null) {
            return publish(to, nowNs);
        }
        if (image != null && image.snapshot.isTooOld()) {
            throw new IllegalStateException("versions of records that it needed took more than state.versionLengthMax"
                    + " (raise it, or have fewer changes)");
        }
        if (from.write()) {
            return 1;
        }
        giveBack();
        to.finish();
        content = null;
        return 1;
    }

    private int publish(final SnapshotWriter to, final long nowNs) throws IOException {
        if (counters.durableSequence().get() < to.sequence()) {
            if (counters.journalStatus().get() == JournalStatus.FAILED) {
                throw new IllegalStateException("the log has failed before it was on stable storage up to there");
            }
            return 0;
        }
        if (settings.policy() == SyncPolicy.OS) {
            files.sync(lastSequence + 1);
        }
        to.publish();
        file = null;
        lastSequence = to.sequence();
        lastNs = nowNs;
        lastBytes = openedBytes;
        snapshots.trim();
        counters.snapshots().incrementPlain();
        counters.snapshotLength().setRelease(to.length());
        counters.snapshotSequence().setRelease(lastSequence);
        events.report(
                EventKind.SNAPSHOT_STORED, "shard", files.shard(), "sequence", lastSequence, "bytes", to.length());
        return 1;
    }

    private void giveUp(final long nowNs) {
        counters.snapshotsFailed().incrementPlain();
        isRetrying = true;
        retryNs = nowNs + RETRY_NS;
        isOpening = false;
        giveBack();
        discard();
    }

    private void giveBack() {
        final ShardImage taken = image;
        image = null;
        if (taken != null) {
            exchange.giveBack(taken);
        }
    }

    private void discard() {
        final SnapshotWriter begun = file;
        file = null;
        content = null;
        if (begun != null) {
            try {
                begun.discard();
            } catch (final IOException e) {
                // The next attempt deletes it.
            }
        }
    }
}
