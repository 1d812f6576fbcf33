package io.penstock.broker;

import io.penstock.broker.journal.LogPage;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.broker.storage.AlignedBuffer;
import java.util.function.Consumer;

/**
 * The files that the log is written to, so that messages last. Without a directory there are none. Immutable.
 *
 * @param directory      of the files; empty for a broker that keeps messages in memory only.
 * @param sync           when what was written is put on stable storage.
 * @param intervalMs     longest time between syncs, unless {@code ALWAYS}.
 * @param intervalLength most bytes between syncs, unless {@code ALWAYS}.
 * @param fileLength     of each file, in bytes.
 * @param writes         whether through the system's cache; for {@code OS} they always are.
 * @param retentionLength files are kept up to this many bytes for each shard, the one in use not counted; 0 for no bound.
 * @param retentionMs    files are kept for this long after their last record; 0 for ever.
 * @param replayLengthMax memory that files are read into for subscribers, in bytes; a record that is longer than a page of
 *                       it may take more.
 * @param archive        directory that files are moved to instead of being deleted; empty for none.
 * @param snapshotLength bytes written to a shard's log after which its state is written to a file; 0 for no bound.
 * @param snapshotIntervalMs time after which it is, if something has changed; 0 for never.
 * @param onDamage       what a start does with a damaged log.
 * @param onSnapshotDamage what a start does with a damaged snapshot.
 */
public record JournalConfig(
        String directory,
        SyncPolicy sync,
        int intervalMs,
        int intervalLength,
        int fileLength,
        Writes writes,
        long retentionLength,
        long retentionMs,
        int replayLengthMax,
        String archive,
        long snapshotLength,
        long snapshotIntervalMs,
        OnDamage onDamage,
        OnSnapshotDamage onSnapshotDamage) {
    public static final int INTERVAL_MS_DEFAULT = 10;
    public static final int INTERVAL_LENGTH_DEFAULT = 4 * 1024 * 1024;
    public static final int FILE_LENGTH_DEFAULT = 128 * 1024 * 1024;
    public static final int REPLAY_LENGTH_MAX_DEFAULT = 32 * 1024 * 1024;
    public static final long SNAPSHOT_LENGTH_DEFAULT = 1024 * 1024 * 1024;
    public static final long SNAPSHOT_INTERVAL_MS_DEFAULT = 60 * 60 * 1000;

    private static final long MS_MAX = 100L * 366 * 24 * 3600 * 1000;

    public JournalConfig {
        Limits.check("journal.intervalMs", intervalMs, 1, 60_000);
        Limits.check("journal.intervalLength", intervalLength, 4096, 1 << 30);
        Limits.check("journal.fileLength", fileLength, 64 * 1024, 1 << 30);
        if (fileLength % AlignedBuffer.BLOCK_LENGTH != 0) {
            throw new IllegalArgumentException("journal.fileLength: not a multiple of " + AlignedBuffer.BLOCK_LENGTH
                    + ": " + fileLength + " (use " + FILE_LENGTH_DEFAULT + ")");
        }
        Limits.check("journal.retentionLength", retentionLength, 0, 1L << 50);
        Limits.check("journal.retentionMs", retentionMs, 0, MS_MAX);
        Limits.check("journal.replayLengthMax", replayLengthMax, 2 * LogPage.LENGTH, 1 << 30);
        Limits.check("journal.snapshotLength", snapshotLength, 0, 1L << 50);
        Limits.check("journal.snapshotIntervalMs", snapshotIntervalMs, 0, MS_MAX);
    }

    /** No files. */
    public static JournalConfig none() {
        return in("");
    }

    /**
     * Files in a directory, with defaults for everything else.
     *
     * @param directory made if it is not there.
     * @return the configuration.
     */
    public static JournalConfig in(final String directory) {
        return new JournalConfig(
                directory,
                SyncPolicy.ALWAYS,
                INTERVAL_MS_DEFAULT,
                INTERVAL_LENGTH_DEFAULT,
                FILE_LENGTH_DEFAULT,
                Writes.DIRECT,
                0,
                0,
                REPLAY_LENGTH_MAX_DEFAULT,
                "",
                SNAPSHOT_LENGTH_DEFAULT,
                SNAPSHOT_INTERVAL_MS_DEFAULT,
                OnDamage.REFUSE,
                OnSnapshotDamage.OLDER);
    }

    /** The same in another directory. */
    public JournalConfig withDirectory(final String value) {
        return with(draft -> draft.directory = value);
    }

    /** The same with another policy. */
    public JournalConfig withSync(final SyncPolicy value) {
        return with(draft -> draft.sync = value);
    }

    /** The same with another longest time between syncs. */
    public JournalConfig withIntervalMs(final int value) {
        return with(draft -> draft.intervalMs = value);
    }

    /** The same with files of another length. */
    public JournalConfig withFileLength(final int value) {
        return with(draft -> draft.fileLength = value);
    }

    /** The same with files written in another way. */
    public JournalConfig withWrites(final Writes value) {
        return with(draft -> draft.writes = value);
    }

    /** The same with other bounds for files that are kept: in bytes, and in milliseconds. */
    public JournalConfig withRetention(final long length, final long ms) {
        return with(draft -> {
            draft.retentionLength = length;
            draft.retentionMs = ms;
        });
    }

    /** The same with another bound of memory for replay. */
    public JournalConfig withReplayLengthMax(final int value) {
        return with(draft -> draft.replayLengthMax = value);
    }

    /** The same with a directory for files that are not kept. */
    public JournalConfig withArchive(final String value) {
        return with(draft -> draft.archive = value);
    }

    /** The same with other bounds for snapshots: in bytes, and in milliseconds. */
    public JournalConfig withSnapshots(final long length, final long everyMs) {
        return with(draft -> {
            draft.snapshotLength = length;
            draft.snapshotIntervalMs = everyMs;
        });
    }

    /** The same with another answer to damage of the log. */
    public JournalConfig withOnDamage(final OnDamage value) {
        return with(draft -> draft.onDamage = value);
    }

    /** The same with another answer to damage of a snapshot. */
    public JournalConfig withOnSnapshotDamage(final OnSnapshotDamage value) {
        return with(draft -> draft.onSnapshotDamage = value);
    }

    private JournalConfig with(final Consumer<Draft> change) {
        final Draft draft = new Draft(this);
        change.accept(draft);
        return draft.config();
    }

    boolean isUsed() {
        return !directory.isEmpty();
    }

    boolean isDirect() {
        return writes == Writes.DIRECT && sync != SyncPolicy.OS;
    }

    /** How files are written. */
    public enum Writes {
        /** Past the system's cache where the file system can do so, which costs less; read through it as ever. */
        DIRECT,

        /** Into the system's cache, from where syncs take it to the disk. */
        CACHED
    }

    /** What a start does when bytes of the log that were on stable storage have changed. */
    public enum OnDamage {
        /** Names the place and does not start. */
        REFUSE,

        /** Moves the damaged file and those after it aside, says what is lost, and goes on after the last good record. */
        QUARANTINE
    }

    /** What a start does when the newest snapshot has changed since it was written. */
    public enum OnSnapshotDamage {
        /** Says so, and uses an older one, or the whole log if that still has its beginning. */
        OLDER,

        /** Says so and does not start. */
        REFUSE
    }

    /** A configuration that is being changed. */
    private static final class Draft {
        private String directory;
        private SyncPolicy sync;
        private int intervalMs;
        private final int intervalLength;
        private int fileLength;
        private Writes writes;
        private long retentionLength;
        private long retentionMs;
        private int replayLengthMax;
        private String archive;
        private long snapshotLength;
        private long snapshotIntervalMs;
        private OnDamage onDamage;
        private OnSnapshotDamage onSnapshotDamage;

        private Draft(final JournalConfig from) {
            directory = from.directory;
            sync = from.sync;
            intervalMs = from.intervalMs;
            intervalLength = from.intervalLength;
            fileLength = from.fileLength;
            writes = from.writes;
            retentionLength = from.retentionLength;
            retentionMs = from.retentionMs;
            replayLengthMax = from.replayLengthMax;
            archive = from.archive;
            snapshotLength = from.snapshotLength;
            snapshotIntervalMs = from.snapshotIntervalMs;
            onDamage = from.onDamage;
            onSnapshotDamage = from.onSnapshotDamage;
        }

        private JournalConfig config() {
            return new JournalConfig(
                    directory,
                    sync,
                    intervalMs,
                    intervalLength,
                    fileLength,
                    writes,
                    retentionLength,
                    retentionMs,
                    replayLengthMax,
                    archive,
                    snapshotLength,
                    snapshotIntervalMs,
                    onDamage,
                    onSnapshotDamage);
        }
    }
}
