package io.penstock.broker;

import io.penstock.broker.journal.LogPage;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.broker.storage.AlignedBuffer;

/**
 * The files that the log is written to, so that messages last. Without a directory there are none. Immutable.
 *
 * @param directory      of the files; empty for a broker that keeps messages in memory only.
 * @param sync           when what was written is put on stable storage.
 * @param intervalMs     longest time between syncs, unless {@code ALWAYS}.
 * @param intervalLength most bytes between syncs, unless {@code ALWAYS}.
 * @param fileLength     of each file, in bytes.
 * @param retentionLength files are kept up to this many bytes for each shard, the one in use not counted; 0 for no bound.
 * @param retentionMs    files are kept for this long after their last record; 0 for ever.
 * @param replayLengthMax memory that files are read into for subscribers, in bytes; a record that is longer than a page of
 *                       it may take more.
 */
public record JournalConfig(
        String directory,
        SyncPolicy sync,
        int intervalMs,
        int intervalLength,
        int fileLength,
        long retentionLength,
        long retentionMs,
        int replayLengthMax) {
    public static final int INTERVAL_MS_DEFAULT = 10;
    public static final int INTERVAL_LENGTH_DEFAULT = 4 * 1024 * 1024;
    public static final int FILE_LENGTH_DEFAULT = 128 * 1024 * 1024;
    public static final int REPLAY_LENGTH_MAX_DEFAULT = 32 * 1024 * 1024;

    public JournalConfig {
        Limits.check("journal.intervalMs", intervalMs, 1, 60_000);
        Limits.check("journal.intervalLength", intervalLength, 4096, 1 << 30);
        Limits.check("journal.fileLength", fileLength, 64 * 1024, 1 << 30);
        if (fileLength % AlignedBuffer.BLOCK_LENGTH != 0) {
            throw new IllegalArgumentException("journal.fileLength: not a multiple of " + AlignedBuffer.BLOCK_LENGTH
                    + ": " + fileLength + " (use " + FILE_LENGTH_DEFAULT + ")");
        }
        Limits.check("journal.retentionLength", retentionLength, 0, 1L << 50);
        Limits.check("journal.retentionMs", retentionMs, 0, 100L * 366 * 24 * 3600 * 1000);
        Limits.check("journal.replayLengthMax", replayLengthMax, 2 * LogPage.LENGTH, 1 << 30);
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
                0,
                0,
                REPLAY_LENGTH_MAX_DEFAULT);
    }

    /** The same with another policy. */
    public JournalConfig withSync(final SyncPolicy value) {
        return new JournalConfig(
                directory,
                value,
                intervalMs,
                intervalLength,
                fileLength,
                retentionLength,
                retentionMs,
                replayLengthMax);
    }

    /** The same with files of another length. */
    public JournalConfig withFileLength(final int value) {
        return new JournalConfig(
                directory, sync, intervalMs, intervalLength, value, retentionLength, retentionMs, replayLengthMax);
    }

    /** The same with another bound of memory for replay. */
    public JournalConfig withReplayLengthMax(final int value) {
        return new JournalConfig(
                directory, sync, intervalMs, intervalLength, fileLength, retentionLength, retentionMs, value);
    }

    boolean isUsed() {
        return !directory.isEmpty();
    }
}
