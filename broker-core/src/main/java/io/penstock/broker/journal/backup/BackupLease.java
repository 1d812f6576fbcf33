package io.penstock.broker.journal.backup;

import io.penstock.broker.journal.snapshot.SnapshotFormat;
import io.penstock.broker.storage.DiskStorage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Second names for the files of a broker, in a directory beside them: while these are there the broker may remove files,
 * but their bytes stay, and none is written over. Names that a process has left which was killed are removed by the
 * next one. Confined to one thread.
 */
final class BackupLease implements Closeable {
    static final String NAME = "backup-lease";

    private static final String SHARD_PREFIX = "shard-";
    private static final Pattern LOG_FILE = Pattern.compile("[0-9]{19}\\.log");

    /** So many snapshots are held, and copied, as a broker keeps. */
    static final int SNAPSHOT_COUNT = 2;

    private static final int ATTEMPTS = 5;

    private final DiskStorage journal;
    private final DiskStorage directory;
    private final Closeable lock;

    private BackupLease(final DiskStorage journal, final DiskStorage directory, final Closeable lock) {
        this.journal = journal;
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Takes a broker's directory for one copy at a time.
     *
     * @param journal directory of a broker.
     * @return with no names yet.
     * @throws IOException when another copy is being made, or nothing can be written there.
     */
    static BackupLease take(final DiskStorage journal) throws IOException {
        final DiskStorage directory = DiskStorage.open(journal.path(NAME));
        final BackupLease lease = new BackupLease(journal, directory, BackupLocks.lock(directory));
        boolean isTaken = false;
        try {
            lease.clear();
            isTaken = true;
            return lease;
        } finally {
            if (!isTaken) {
                lease.lock.close();
            }
        }
    }

    /**
     * Holds all files of a shard's log, and its newest snapshots. Called again, it holds those that came since.
     *
     * @param shard of the broker.
     * @return where the names are.
     * @throws IOException when the file system gives no second names.
     */
    DiskStorage hold(final int shard) throws IOException {
        final DiskStorage from = DiskStorage.openPresent(journal.path(SHARD_PREFIX + shard));
        final DiskStorage to = DiskStorage.open(directory.path(SHARD_PREFIX + shard));
        holdLog(from, to);
        holdSnapshots(from, to);
        // A snapshot has its name when the log up to it is there.
        holdLog(from, to);
        return to;
    }

    private static void holdLog(final DiskStorage from, final DiskStorage to) throws IOException {
        for (final String name : from.list()) {
            if (LOG_FILE.matcher(name).matches()) {
                hold(from, name, to);
            }
        }
    }

    private static void holdSnapshots(final DiskStorage from, final DiskStorage to) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            boolean isComplete = true;
            final List<Long> sequences = SnapshotFormat.list(from);
            for (final long sequence : sequences.subList(0, Math.min(SNAPSHOT_COUNT, sequences.size()))) {
                isComplete &= hold(from, SnapshotFormat.name(sequence), to);
            }
            if (isComplete) {
                return;
            }
        }
    }

    /** Returns false when the broker has removed the file meanwhile. */
    private static boolean hold(final DiskStorage from, final String name, final DiskStorage to) throws IOException {
        try {
            from.link(name, to);
            return true;
        } catch (final FileAlreadyExistsException e) {
            // Held by an earlier call.
            return true;
        } catch (final NoSuchFileException e) {
            return false;
        } catch (final IOException e) {
            throw new IOException(
                    "backup: cannot hold " + from.path(name) + " while it is copied: " + e.getMessage()
                            + " (run this as the user of the broker, on a file system with hard links)",
                    e);
        }
    }

    private void clear() throws IOException {
        for (final String shard : directory.directories()) {
            BackupLocks.deleteFiles(DiskStorage.openPresent(directory.path(shard)));
            directory.delete(shard);
        }
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            clear();
        }
    }
}
