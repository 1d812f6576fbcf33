package io.penstock.broker.journal;

import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares a broker's directory with its manifest before anything else in it is read: whether it has the logs of this
 * broker, and all of them.
 */
public final class JournalAdmission {
    /** Only a backup has a file of this name. */
    public static final String BACKUP = "backup.list";

    /** The directory of a restore that has not ended has a file of this name. */
    public static final String UNFINISHED_RESTORE = "restore.unfinished";

    private final Storage directory;
    private final List<Storage> shards;
    private final boolean goesOn;
    private final RecoveryListener listener;

    /**
     * Reads nothing yet.
     *
     * @param directory of the broker.
     * @param shards    the directories of its shards.
     * @param goesOn    whether to go on without missing files, and to report them.
     * @param listener  notified of them then.
     */
    public JournalAdmission(
            final Storage directory,
            final List<Storage> shards,
            final boolean goesOn,
            final RecoveryListener listener) {
        this.directory = directory;
        this.shards = shards;
        this.goesOn = goesOn;
        this.listener = listener;
    }

    /**
     * Reads the manifest, or makes it for a new log.
     *
     * @param newLogId distinguishes a new log from others; a log that has files without a manifest keeps the id in
     *                 these.
     * @return what is known of the logs.
     * @throws IOException when something is missing, or the disk fails.
     */
    public JournalManifest admit(final long newLogId) throws IOException {
        final String foreign = foreign(directory);
        if (foreign != null) {
            throw new IOException("journal: " + foreign);
        }
        final JournalManifest manifest = JournalManifest.read(directory);
        if (!manifest.isFound()) {
            checkNew(manifest);
        }
        for (int shard = shards.size(); shard < manifest.shardCount(); shard++) {
            checkLeftOut(manifest, shard);
        }
        manifest.begin(shards.size(), manifest.isFound() ? newLogId : logIdOfFiles(newLogId));
        return manifest;
    }

    /**
     * Whether a directory is not for a broker, whatever logs it has.
     *
     * @param directory to look at; nothing is changed.
     * @return what it is and the remedy; null when it may be a broker's.
     * @throws IOException when it cannot be read.
     */
    public static @Nullable String foreign(final Storage directory) throws IOException {
        if (directory.exists(BACKUP)) {
            return directory.path("") + ": is a backup, which a broker would change (penstock restore makes a broker's"
                    + " directory of it)";
        }
        return directory.exists(UNFINISHED_RESTORE)
                ? directory.path("") + ": a restore into it has not ended (empty it, and restore again)"
                : null;
    }

    private long logIdOfFiles(final long newLogId) throws IOException {
        final JournalHead head = new JournalHead();
        try {
            for (int shard = 0; shard < shards.size(); shard++) {
                final Storage storage = shards.get(shard);
                for (final String name : storage.list()) {
                    if (JournalFile.firstSequence(name) <= 0) {
                        continue;
                    }
                    try (StoredFile file = storage.open(name, false)) {
                        if (head.check(file.read(head.bytes(), 0), shard) == null && head.logId() != 0) {
                            return head.logId();
                        }
                    }
                }
            }
            return newLogId;
        } finally {
            head.free();
        }
    }

    private void checkNew(final JournalManifest manifest) throws IOException {
        for (int shard = 0; shard < shards.size(); shard++) {
            final Storage storage = shards.get(shard);
            if (storage.list().stream().anyMatch(JournalAdmission::isOfLog)) {
                final String text = "journal: " + manifest.problem()
                        + ": nobody can say whether all files of the log in " + storage.path("") + " are there";
                report(
                        shard,
                        text,
                        "restore one of the two from a copy, or start once with journal.onDamage: quarantine to take"
                                + " the files that are there for all");
            }
        }
    }

    private void checkLeftOut(final JournalManifest manifest, final int shard) throws IOException {
        if (manifest.shard(shard).first() > 0) {
            report(
                    shard,
                    "journal: " + directory.path("shard-" + shard)
                            + ": holds a log that would not be read with shardCount " + shards.size(),
                    "use shardCount " + manifest.shardCount()
                            + ", or start once with journal.onDamage: quarantine to go on without it");
        }
    }

    private void report(final int shard, final String text, final String remedy) throws IOException {
        if (!goesOn) {
            throw new IOException(text + " (" + remedy + ")");
        }
        listener.onDamage(shard, text + "; the start goes on with what is there");
    }

    private static boolean isOfLog(final String name) {
        return name.endsWith(".log") || name.endsWith(".snap");
    }
}
