package io.penstock.broker.journal.backup;

import io.penstock.broker.storage.DiskStorage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Removes old backups of one log. Files that newer ones have as well are theirs under other names, so that these stay whole. What is
 * no backup, not a whole one, of another log, or has files that no backup makes, is neither counted nor touched. Confined to one
 * thread, which has the lock of the folder.
 */
final class BackupRetention {
    private static final Pattern OTHER_FILE = Pattern.compile("manifest\\.[01]|" + Pattern.quote(BackupList.NAME));

    private final DiskStorage backups;
    private final long logId;

    BackupRetention(final DiskStorage backups, final long logId) {
        this.backups = backups;
        this.logId = logId;
    }

    /**
     * Removes all but some. First it takes their names away, so that what is removed in part never looks like a backup.
     *
     * @param newest name of the one that was just made, which stays whatever its time is.
     * @param keep   how many stay, that one among them; 1 or more.
     * @return paths of those that were removed, newest first.
     */
    List<String> removeOld(final String newest, final int keep) throws IOException {
        final List<String> removed = new ArrayList<>();
        for (final String name : old(newest, keep)) {
            try {
                backups.rename(name, name + JournalBackup.UNFINISHED);
                backups.sync();
                BackupLocks.deleteBackup(backups, name + JournalBackup.UNFINISHED);
            } catch (final IOException e) {
                throw new IOException(
                        backups.path(newest) + ": made, but the old backup " + backups.path(name)
                                + " cannot be removed: " + e.getMessage() + " (remove it by hand)",
                        e);
            }
            removed.add(backups.path(name));
        }
        return removed;
    }

    private List<String> old(final String newest, final int keep) throws IOException {
        final List<String> old = new ArrayList<>();
        int count = 1;
        for (final String name : new TreeSet<>(backups.directories()).descendingSet()) {
            if (JournalBackup.isName(name) && !name.equals(newest) && isWhole(name) && ++count > keep) {
                old.add(name);
            }
        }
        return old;
    }

    private boolean isWhole(final String name) {
        try {
            final DiskStorage backup = DiskStorage.openPresent(backups.path(name));
            final BackupList list = BackupList.read(backup);
            return list.logId() == logId && hasItsFiles(backup, list);
        } catch (final IOException e) {
            return false;
        }
    }

    /** Whether there are all the files that a backup has, and no others. */
    private static boolean hasItsFiles(final DiskStorage backup, final BackupList list) throws IOException {
        final Set<String> expected = new HashSet<>();
        list.files().forEach(each -> expected.add(each.path()));
        if (!hasNothingElse(backup)) {
            return false;
        }
        for (final String file : backup.list()) {
            if (!OTHER_FILE.matcher(file).matches()) {
                return false;
            }
        }
        for (final String directory : backup.directories()) {
            final DiskStorage shard = DiskStorage.openPresent(backup.path(directory));
            if (!hasNothingElse(shard) || !shard.directories().isEmpty()) {
                return false;
            }
            for (final String file : shard.list()) {
                final BackupList.@Nullable Entry entry = list.find(directory, file);
                if (entry == null || entry.length() != length(shard, file) || !expected.remove(entry.path())) {
                    return false;
                }
            }
        }
        return expected.isEmpty();
    }

    /** Whether there are neither links, behind which other things may be, nor anything that is no file or directory. */
    private static boolean hasNothingElse(final DiskStorage directory) throws IOException {
        final Path path = Path.of(directory.path(""));
        if (Files.isSymbolicLink(path)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.allMatch(each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)
                    || Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS));
        }
    }

    private static long length(final DiskStorage shard, final String file) throws IOException {
        try (StoredFile opened = shard.open(file, false)) {
            return opened.length();
        }
    }
}
