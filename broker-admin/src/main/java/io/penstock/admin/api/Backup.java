package io.penstock.admin.api;

import io.penstock.admin.http.Json;
import io.penstock.broker.journal.backup.BackupList;
import io.penstock.broker.journal.backup.CopyListener;
import io.penstock.broker.journal.backup.JournalBackup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/** A backup that is being made, or was. Made by one thread, looked at by any. */
final class Backup implements CopyListener {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long id;
    private final long startedMs;
    private final long bytesPerSecond;
    private final NanoClock nanoClock;
    private final AtomicLong length = new AtomicLong();
    private long dueNs;
    private volatile boolean isCancelled;
    private volatile @Nullable End end;

    /** How it has ended: one of what was made and why not. */
    private record End(long atMs, JournalBackup.@Nullable Result made, String problem, boolean isCancelled) {}

    Backup(final long id, final long startedMs, final long bytesPerSecond, final NanoClock nanoClock) {
        this.id = id;
        this.startedMs = startedMs;
        this.bytesPerSecond = bytesPerSecond;
        this.nanoClock = nanoClock;
        dueNs = nanoClock.nanoTime();
    }

    long id() {
        return id;
    }

    boolean isRunning() {
        return end == null;
    }

    /** Ends it without a backup. False when it has ended already. */
    boolean cancel() {
        isCancelled = true;
        return isRunning();
    }

    /**
     * Makes it. Blocks.
     *
     * @return what became of it, in words.
     */
    String make(final String directory, final String to, final EpochClock clock) {
        try {
            final JournalBackup.Result made = JournalBackup.make(directory, to, Instant.ofEpochMilli(startedMs), this);
            end = new End(clock.time(), made, "", false);
            return "made " + name(made);
        } catch (final CancellationException e) {
            end = new End(clock.time(), null, "", true);
            return "cancelled";
        } catch (final IOException | RuntimeException e) {
            final String problem = String.valueOf(e.getMessage());
            end = new End(clock.time(), null, problem, false);
            return "failed: " + problem;
        }
    }

    @Override
    public void onPiece(final int pieceLength) {
        length.addAndGet(pieceLength);
        if (isCancelled) {
            throw new CancellationException("backup: cancelled");
        }
        if (bytesPerSecond > 0) {
            // Time that something else has taken is not caught up with.
            dueNs = Math.max(dueNs, nanoClock.nanoTime()) + (long) (pieceLength * NANOS_PER_SECOND / bytesPerSecond);
            for (long waitNs = dueNs - nanoClock.nanoTime();
                    waitNs > 0 && !isCancelled;
                    waitNs = dueNs - nanoClock.nanoTime()) {
                LockSupport.parkNanos(Math.min(waitNs, TimeUnit.MILLISECONDS.toNanos(100)));
            }
        }
    }

    private static String name(final JournalBackup.Result made) {
        return String.valueOf(Path.of(made.path()).getFileName());
    }

    /** Writes how it is, as an object. */
    Json write(final Json json) {
        final End ended = end;
        json.begin()
                .field("id", Long.toString(id))
                .field("state", state(ended))
                .field("startedMs", startedMs)
                .field("copiedBytes", length.get());
        if (ended != null) {
            json.field("endedMs", ended.atMs);
            if (!ended.problem.isEmpty()) {
                json.field("problem", ended.problem);
            }
            if (ended.made != null) {
                write(json, ended.made);
            }
        }
        return json.end();
    }

    private static String state(final @Nullable End ended) {
        if (ended == null) {
            return "running";
        }
        return ended.made != null ? "made" : ended.isCancelled ? "cancelled" : "failed";
    }

    private static void write(final Json json, final JournalBackup.Result made) {
        json.field("name", name(made))
                .field("files", made.list().files().size())
                .field("bytes", made.length())
                .field("copiedFiles", made.copiedCount())
                .beginArray("shards");
        for (final BackupList.Shard shard : made.list().shards()) {
            json.begin()
                    .field("shard", shard.shard())
                    .field("first", shard.first())
                    .field("last", shard.last())
                    .end();
        }
        json.endArray();
    }
}
