package io.penstock.broker.journal.backup;

import io.penstock.broker.journal.JournalCatalog;
import io.penstock.broker.journal.JournalManifest;
import io.penstock.broker.journal.LogFile;
import io.penstock.broker.journal.LogScan;
import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.journal.snapshot.SnapshotFormat;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.broker.storage.DiskStorage;
import io.penstock.broker.storage.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;

/**
 * Copies a broker's directory into a new folder while the broker uses it, or not. The folder has its name when all of it
 * is on stable storage and was read again; it is itself a directory that tools read. Files that an earlier backup in the
 * same place has, and that are never written again, are the same files under another name. Confined to one thread.
 */
public final class JournalBackup {
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    static final String UNFINISHED = ".tmp";
    private static final Pattern BACKUP = Pattern.compile("[0-9]{8}T[0-9]{6}\\.[0-9]{3}Z");
    private static final Pattern LEFT_OVER = Pattern.compile(BACKUP.pattern() + "\\.tmp");
    private static final int ROLL_COUNT_MAX = 1000;

    private final DiskStorage journal;
    private final DiskStorage backups;
    private final FileCopy copy;
    private final List<BackupList.Entry> files = new ArrayList<>();
    private final List<BackupList.Shard> shards = new ArrayList<>();
    private @Nullable DiskStorage earlier;
    private @Nullable BackupList earlierList;
    private final Set<String> copied = new HashSet<>();
    private long copiedLength;

    private JournalBackup(final DiskStorage journal, final DiskStorage backups, final FileCopy copy) {
        this.journal = journal;
        this.backups = backups;
        this.copy = copy;
    }

    /**
     * What was made.
     *
     * @param path         of the backup.
     * @param list         of what is in it.
     * @param copiedCount  files that were copied; the others are those of an earlier backup.
     * @param copiedLength of their copies, in bytes.
     * @param removed      old backups that are there no more.
     */
    public record Result(String path, BackupList list, long copiedCount, long copiedLength, List<String> removed) {
        /** Length of all files, in bytes. */
        public long length() {
            return list.files().stream().mapToLong(BackupList.Entry::length).sum();
        }
    }

    /**
     * Makes a backup.
     *
     * @param directory of a broker, which may run.
     * @param to        folder of backups, made if it is not there.
     * @param now       names the backup.
     * @param listener  learns of each piece.
     * @return what was made.
     * @throws IOException when the directory has no log or a damaged one, another backup is under way, or a disk fails;
     *                     then no backup was made.
     */
    public static Result make(final String directory, final String to, final Instant now, final CopyListener listener)
            throws IOException {
        return make(directory, to, now, listener, Integer.MAX_VALUE);
    }

    /**
     * Makes a backup, and then removes old ones of the same log.
     *
     * @param directory of a broker, which may run.
     * @param to        folder of backups, made if it is not there.
     * @param now       names the backup.
     * @param listener  learns of each piece.
     * @param keep      how many backups of this log stay, the new one among them; 1 or more.
     * @return what was made, and removed.
     * @throws IOException as the other one does; when an old one cannot be removed, the message says that there is a new one.
     */
    public static Result make(
            final String directory,
            final String to,
            final Instant now,
            final CopyListener listener,
            final int keep)
            throws IOException {
        if (keep < 1) {
            throw new IllegalArgumentException("backup: keep: " + keep + " (use 1 or more)");
        }
        final DiskStorage journal = DiskStorage.openPresent(directory);
        final JournalManifest manifest = JournalManifest.read(journal);
        if (!manifest.isFound()) {
            throw new IOException(directory + ": has no manifest, so that nobody knows which files belong to it"
                    + " (give the journal.directory of a broker)");
        }
        final DiskStorage backups = DiskStorage.open(to);
        try (Closeable lock = BackupLocks.lock(backups);
                BackupLease lease = BackupLease.take(journal);
                FileCopy copy = new FileCopy(listener)) {
            assert lock != null;
            return new JournalBackup(journal, backups, copy).make(lease, manifest, now, keep);
        }
    }

    private Result make(final BackupLease lease, final JournalManifest manifest, final Instant now, final int keep)
            throws IOException {
        deleteLeftOvers();
        final String name = NAME.format(now);
        if (backups.directories().contains(name)) {
            throw new IOException(backups.path(name) + ": there is a backup of this moment (try again)");
        }
        findEarlier(manifest.shard(0).logId());
        final String unfinished = name + UNFINISHED;
        final DiskStorage target = DiskStorage.open(backups.path(unfinished));
        boolean isMade = false;
        try {
            final List<Cut> cuts = new ArrayList<>();
            for (int shard = 0; shard < manifest.shardCount(); shard++) {
                if (manifest.shard(shard).first() > 0) {
                    cuts.add(cut(shard, lease));
                }
            }
            for (final Cut each : cuts) {
                copy(each, target);
            }
            begin(target, manifest);
            verify(target);
            final BackupList list =
                    new BackupList(manifest.shard(0).logId(), now, manifest.shardCount(), shards, files);
            list.write(target);
            target.sync();
            backups.rename(unfinished, name);
            backups.sync();
            isMade = true;
            final List<String> removed = new BackupRetention(backups, list.logId()).removeOld(name, keep);
            return new Result(backups.path(name), list, copied.size(), copiedLength, removed);
        } finally {
            if (!isMade) {
                CloseHelper.quietClose(() -> BackupLocks.deleteBackup(backups, unfinished));
            }
        }
    }

    /**
     * The moment of a shard that is copied.
     *
     * @param from where its files are held.
     * @param name of its newest file.
     * @param head of that file, older than its end.
     * @param end  behind its last record.
     */
    @SuppressWarnings("ArrayRecordComponent") // It is never compared.
    private record Cut(int shard, DiskStorage from, String name, byte[] head, ShardLog.End end) {}

    /** Finds the moment before anything is copied: a log may grow as fast as it is copied. */
    private Cut cut(final int shard, final BackupLease lease) throws IOException {
        for (int i = 0; i < ROLL_COUNT_MAX; i++) {
            final DiskStorage from = lease.hold(shard);
            final ShardLog held = ShardLog.in(shard, from);
            final String name = held.newest().name();
            // A head that is older than the records it comes with states nothing that they do not have.
            final byte[] head = copy.head(from, name);
            final LogFile after = held.newest();
            if (after.wrong() != null) {
                throw new IOException("backup: " + journal.path(directory(shard)) + ": " + name + ": " + after.wrong()
                        + " (see penstock log verify)");
            }
            if (after.marks().next() == 0) {
                return new Cut(shard, from, name, head, held.end());
            }
            // It was full meanwhile, and another one follows.
        }
        throw new IOException("backup: " + journal.path(directory(shard))
                + ": files are full faster than they are looked at (use a greater journal.fileLength)");
    }

    private void copy(final Cut cut, final DiskStorage backup) throws IOException {
        final DiskStorage to = DiskStorage.open(backup.path(directory(cut.shard)));
        final ShardLog held = ShardLog.in(cut.shard, cut.from);
        for (final LogFile each : held.files()) {
            if (each.name().equals(cut.name)) {
                break;
            }
            copyWhole(BackupList.Kind.FULL, cut.shard, each.name(), cut.from, to);
        }
        final String checksum = copy.copyBeginning(cut.from, cut.name, cut.head, cut.end.position(), to);
        add(BackupList.Kind.OPEN, cut.shard, cut.name, checksum, to);
        final ShardLog copied = ShardLog.in(cut.shard, to);
        shards.add(new BackupList.Shard(cut.shard, copied.firstSequence(), cut.end.sequence()));
        final long beginsAfter = copied.beginsAfter();
        int count = 0;
        for (final long sequence : held.snapshots()) {
            if (sequence >= beginsAfter && sequence <= cut.end.sequence() && count++ < BackupLease.SNAPSHOT_COUNT) {
                copyWhole(BackupList.Kind.STATE, cut.shard, SnapshotFormat.name(sequence), cut.from, to);
            }
        }
        to.sync();
    }

    private void copyWhole(
            final BackupList.Kind kind,
            final int shard,
            final String name,
            final DiskStorage from,
            final DiskStorage to)
            throws IOException {
        final BackupList.Entry same = linked(kind, shard, name, from, to);
        if (same == null) {
            add(kind, shard, name, copy.copy(from, name, to), to);
        } else {
            files.add(same);
        }
    }

    private void add(
            final BackupList.Kind kind, final int shard, final String name, final String checksum, final DiskStorage to)
            throws IOException {
        try (StoredFile file = to.open(name, false)) {
            files.add(new BackupList.Entry(kind, checksum, file.length(), shard, name));
            copied.add(to.path(name));
            copiedLength += file.length();
        }
    }

    /** The entry of a file that an earlier backup has, and this one has as well now; null when it has to be copied. */
    private BackupList.@Nullable Entry linked(
            final BackupList.Kind kind,
            final int shard,
            final String name,
            final DiskStorage from,
            final DiskStorage to)
            throws IOException {
        final DiskStorage before = earlier;
        final BackupList.Entry entry = earlierList == null ? null : earlierList.find(shard, name);
        if (before == null || entry == null || entry.kind() != kind) {
            return null;
        }
        try {
            final DiskStorage place = DiskStorage.openPresent(before.path(directory(shard)));
            if (!copy.isSame(from, place, name)) {
                return null;
            }
            place.link(name, to);
            return entry;
        } catch (final IOException e) {
            // Then it is copied.
            return null;
        }
    }

    /** The newest backup of this log. */
    private void findEarlier(final long logId) throws IOException {
        final List<String> names = new ArrayList<>(backups.directories());
        Collections.reverse(names);
        for (final String name : names) {
            if (BACKUP.matcher(name).matches()) {
                try {
                    final DiskStorage backup = DiskStorage.openPresent(backups.path(name));
                    final BackupList list = BackupList.read(backup);
                    if (list.logId() == logId) {
                        earlier = backup;
                        earlierList = list;
                        return;
                    }
                } catch (final IOException e) {
                    // One that is not good has nothing to give.
                    earlier = null;
                }
            }
        }
    }

    /** Lets the backup be a directory of a broker, whose tools know what it has to have. */
    private void begin(final DiskStorage backup, final JournalManifest original) throws IOException {
        if (shards.isEmpty()) {
            throw new IOException(journal.path("") + ": has no records yet (make a backup when there are some)");
        }
        final JournalManifest manifest = JournalManifest.read(backup);
        manifest.begin(original.shardCount(), original.shard(0).logId());
        for (final BackupList.Shard each : shards) {
            final List<LogFile> present = ShardLog.in(
                            each.shard(), DiskStorage.openPresent(backup.path(directory(each.shard()))))
                    .files();
            manifest.shard(each.shard())
                    .note(each.first(), present.get(present.size() - 1).firstSequence());
        }
    }

    /** Reads what was copied as a broker would that starts with it. */
    private void verify(final DiskStorage backup) throws IOException {
        final JournalCatalog catalog = JournalCatalog.open(backup.path(""));
        for (final String missing : catalog.missing()) {
            throw new IOException("backup: " + missing);
        }
        for (final BackupList.Shard each : shards) {
            final ShardLog log = catalog.shards().stream()
                    .filter(shard -> shard.shard() == each.shard())
                    .findFirst()
                    .orElseThrow();
            verifyRecords(log, each);
            boolean hasBeginning = each.first() == 1;
            for (final long sequence : log.snapshots()) {
                hasBeginning = true;
                if (copied.contains(log.snapshotPath(sequence))) {
                    try (SnapshotReader snapshot = log.snapshot(sequence)) {
                        snapshot.readAll();
                    }
                }
            }
            if (!hasBeginning) {
                throw new IOException("backup: " + log.path() + ": the log begins with record " + each.first()
                        + ", and there is no snapshot of the state before (see penstock log verify)");
            }
        }
    }

    private void verifyRecords(final ShardLog log, final BackupList.Shard shard) throws IOException {
        long from = shard.first();
        for (final LogFile file : log.files()) {
            from = file.firstSequence();
            if (copied.contains(file.path())) {
                break;
            }
        }
        try (LogScan scan = log.scan(from)) {
            boolean isMore = true;
            while (isMore) {
                isMore = scan.next();
            }
            if (scan.sequence() != shard.last()) {
                throw new IOException("backup: " + log.path() + ": ends with record " + scan.sequence() + ", not with "
                        + shard.last() + " (try again)");
            }
        }
    }

    static boolean isName(final String directory) {
        return BACKUP.matcher(directory).matches();
    }

    /** Removes what processes have left that were killed. */
    private void deleteLeftOvers() throws IOException {
        for (final String name : backups.directories()) {
            if (LEFT_OVER.matcher(name).matches()) {
                BackupLocks.deleteBackup(backups, name);
            }
        }
    }

    static String directory(final int shard) {
        return "shard-" + shard;
    }
}
