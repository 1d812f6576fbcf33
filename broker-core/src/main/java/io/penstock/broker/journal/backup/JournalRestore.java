package io.penstock.broker.journal.backup;

import io.penstock.broker.journal.JournalAdmission;
import io.penstock.broker.journal.JournalManifest;
import io.penstock.broker.journal.LogFile;
import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.storage.DiskStorage;
import io.penstock.broker.storage.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Makes a broker's directory of a backup, and checks a backup. Each file is compared with the checksum that it had when it
 * was copied. The directory gets its manifest last, and a mark until then: a broker does not start with one that was not
 * finished. Confined to one thread.
 */
public final class JournalRestore {
    /** What a new disk or an earlier broker leaves in a directory, and is no content. */
    private static final Set<String> IGNORED = Set.of("lost+found", "penstock.lock");

    private static final Pattern AUDIT = Pattern.compile("audit-[0-9]{10}\\.jsonl");

    private final DiskStorage backup;
    private final BackupList list;

    private JournalRestore(final DiskStorage backup, final BackupList list) {
        this.backup = backup;
        this.list = list;
    }

    /**
     * Opens a backup.
     *
     * @param backup directory.
     * @return with its list read.
     * @throws IOException when it is none, or not a whole one.
     */
    public static JournalRestore open(final String backup) throws IOException {
        final DiskStorage directory = DiskStorage.openPresent(backup);
        return new JournalRestore(directory, BackupList.read(directory));
    }

    /** What the backup has. */
    public BackupList list() {
        return list;
    }

    /**
     * Reads all files, and changes nothing.
     *
     * @param listener learns of each piece.
     * @throws IOException when a file is not what was backed up.
     */
    public void check(final CopyListener listener) throws IOException {
        try (FileCopy copy = new FileCopy(listener)) {
            for (final BackupList.Entry each : list.files()) {
                final DiskStorage from = checkLength(each);
                compare(each, copy.checksum(from, each.name()));
            }
        }
    }

    /**
     * Copies all files into a directory for a broker.
     *
     * @param to       directory, made if it is not there, and empty but for the audit of a broker.
     * @param leaveGap whether the log goes on so far above its last record that no sequence is given twice: unless the
     *                 broker that was backed up has written nothing since.
     * @param listener learns of each piece.
     * @throws IOException when the directory is not empty, a file is not what was backed up, or a disk fails; what was
     *                     copied before stays, and no broker starts with it.
     */
    public void restore(final String to, final boolean leaveGap, final CopyListener listener) throws IOException {
        final DiskStorage target = DiskStorage.open(to);
        refuseContent(target);
        try (Closeable lock = target.lock();
                FileCopy copy = new FileCopy(listener)) {
            assert lock != null;
            target.create(JournalAdmission.UNFINISHED_RESTORE).close();
            target.sync();
            for (final BackupList.Entry each : list.files()) {
                final DiskStorage from = checkLength(each);
                final DiskStorage shard = DiskStorage.open(target.path(JournalBackup.directory(each.shard())));
                compare(each, copy.copy(from, each.name(), shard));
            }
            for (final BackupList.Shard each : list.shards()) {
                final ShardLog log = log(target, each);
                if (leaveGap) {
                    log.leaveGap(list.logId());
                }
                DiskStorage.openPresent(log.path()).sync();
            }
            target.sync();
            note(target);
            target.delete(JournalAdmission.UNFINISHED_RESTORE);
            target.sync();
        }
    }

    private void note(final DiskStorage target) throws IOException {
        final JournalManifest manifest = JournalManifest.read(target);
        manifest.begin(list.shardCount(), list.logId());
        for (final BackupList.Shard each : list.shards()) {
            final List<LogFile> files = log(target, each).files();
            manifest.shard(each.shard())
                    .note(each.first(), files.get(files.size() - 1).firstSequence());
        }
    }

    private static ShardLog log(final DiskStorage target, final BackupList.Shard shard) throws IOException {
        final String path = target.path(JournalBackup.directory(shard.shard()));
        return ShardLog.in(shard.shard(), DiskStorage.openPresent(path));
    }

    private static void refuseContent(final DiskStorage target) throws IOException {
        for (final List<String> names : List.of(target.list(), target.directories())) {
            for (final String name : names) {
                if (!IGNORED.contains(name) && !isAudit(target, name)) {
                    throw new IOException(
                            "restore: " + target.path("") + ": not empty: " + name
                                    + " (name a new or an empty directory; what an interrupted restore has left may be removed)");
                }
            }
        }
    }

    /** The audit of a broker may be in its directory, and is there to stay. */
    private static boolean isAudit(final DiskStorage target, final String name) throws IOException {
        if (!target.directories().contains(name)) {
            return false;
        }
        final DiskStorage below = DiskStorage.openPresent(target.path(name));
        final List<String> files = below.list();
        return below.directories().isEmpty()
                && files.stream().anyMatch(each -> AUDIT.matcher(each).matches())
                && files.stream()
                        .allMatch(each ->
                                IGNORED.contains(each) || AUDIT.matcher(each).matches());
    }

    private DiskStorage checkLength(final BackupList.Entry entry) throws IOException {
        final String path = backup.path(entry.path());
        final String directory = backup.path(JournalBackup.directory(entry.shard()));
        final DiskStorage from = DiskStorage.openPresent(directory);
        if (!from.exists(entry.name())) {
            throw new IOException(path + ": missing (use another backup)");
        }
        try (StoredFile file = from.open(entry.name(), false)) {
            if (file.length() != entry.length()) {
                throw new IOException(path + ": has " + file.length() + " bytes, and had " + entry.length()
                        + " when it was backed up (use another backup)");
            }
        }
        return from;
    }

    private void compare(final BackupList.Entry entry, final String checksum) throws IOException {
        if (!checksum.equals(entry.checksum())) {
            throw new IOException(backup.path(entry.path())
                    + ": damaged: its bytes are not those that were backed up (use another backup)");
        }
    }
}
