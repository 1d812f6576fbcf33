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
import org.agrona.concurrent.EpochNanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Writes one shard's state to files, now and then, a piece at a time. Confined to the keeper. A file gets its name when
 * the log is on stable storage up to its sequence, so that none is ever ahead of the log.
 */
public final class ShardSnapshots {
    private final JournalSettings settings;
    private final JournalFiles files;
    private final SnapshotFiles snapshots;
    private final SnapshotSchedule schedule;
    private final ImageExchange exchange;
    private final Run run;
    private final ShardCounters counters;
    private final EventLog events;
    private boolean isOpening;
    private @Nullable ShardImage image;
    private @Nullable SnapshotWriter file;
    private @Nullable ImageWriter content;

    /**
     * The run of the broker that writes them.
     *
     * @param epoch its number.
     * @param clock for the times of files.
     */
    public record Run(int epoch, EpochNanoClock clock) {}

    /**
     * Makes the writer of snapshots.
     *
     * @param settings  of the shard's files.
     * @param files     of the shard's log.
     * @param snapshots of the shard, those there are.
     * @param schedule  says when the next one is due.
     * @param exchange  by which the sequencer gives images of the shard.
     * @param run       of the broker.
     * @param counters  of the shard.
     * @param events    for the operator.
     */
    public ShardSnapshots(
            final JournalSettings settings,
            final JournalFiles files,
            final SnapshotFiles snapshots,
            final SnapshotSchedule schedule,
            final ImageExchange exchange,
            final Run run,
            final ShardCounters counters,
            final EventLog events) {
        this.settings = settings;
        this.files = files;
        this.snapshots = snapshots;
        this.schedule = schedule;
        this.exchange = exchange;
        this.run = run;
        this.counters = counters;
        this.events = events;
    }

    /** Asks for a snapshot as soon as may be. Any thread. */
    public void request() {
        schedule.request();
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
        if (schedule.isDue(nowNs)) {
            schedule.onBegun();
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

    private int open() throws IOException {
        final ShardImage taken = exchange.take();
        if (taken == null) {
            return 0;
        }
        isOpening = false;
        image = taken;
        if (taken.sequence() <= schedule.lastSequence()) {
            // Nothing has changed: the last one is as good.
            giveBack();
            counters.snapshots().incrementPlain();
            return 1;
        }
        final SnapshotWriter opened = new SnapshotWriter(
                files.storage(),
                files.shard(),
                files.logId(),
                taken.sequence(),
                run.epoch(),
                run.clock().nanoTime());
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
        if (settings.sync().policy() == SyncPolicy.OS) {
            files.sync(schedule.lastSequence() + 1);
        }
        to.publish();
        file = null;
        schedule.onStored(to.sequence(), nowNs);
        snapshots.trim();
        counters.snapshots().incrementPlain();
        counters.snapshotLength().setRelease(to.length());
        counters.snapshotSequence().setRelease(to.sequence());
        events.report(
                EventKind.SNAPSHOT_STORED, "shard", files.shard(), "sequence", to.sequence(), "bytes", to.length());
        return 1;
    }

    private void giveUp(final long nowNs) {
        counters.snapshotsFailed().incrementPlain();
        schedule.onGivenUp(nowNs);
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
