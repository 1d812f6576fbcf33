package io.penstock.broker.journal.backup;

import io.penstock.broker.storage.DiskStorage;
import java.io.Closeable;
import java.io.IOException;

/** What directories have in common that one copy at a time is made in. */
final class BackupLocks {
    private BackupLocks() {}

    /** Takes a directory. Returns what gives it back. */
    static Closeable lock(final DiskStorage directory) throws IOException {
        try {
            return directory.lock();
        } catch (final IOException e) {
            throw new IOException(
                    "backup: cannot take " + directory.path("") + ": another backup uses it, or it cannot be written: "
                            + e.getMessage() + " (wait for the other one)",
                    e);
        }
    }

    /** Deletes a backup, or what there is of one. */
    static void deleteBackup(final DiskStorage backups, final String name) throws IOException {
        final DiskStorage directory = DiskStorage.openPresent(backups.path(name));
        for (final String each : directory.directories()) {
            deleteFiles(DiskStorage.openPresent(directory.path(each)));
            directory.delete(each);
        }
        deleteFiles(directory);
        backups.delete(name);
    }

    /** Deletes all files of a directory. */
    static void deleteFiles(final DiskStorage directory) throws IOException {
        for (final String name : directory.list()) {
            directory.delete(name);
        }
    }
}
