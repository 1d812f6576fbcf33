package io.penstock.broker.journal;

import io.penstock.broker.journal.snapshot.SnapshotCorruptException;
import io.penstock.broker.journal.snapshot.SnapshotFormat;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One shard's log as tools see it. Confined to one thread. */
public final class ShardLog {
    private final int shard;
    private final Storage storage;
    private final long lastSequence;

    ShardLog(final int shard, final Storage storage) {
        this(shard, storage, Long.MAX_VALUE);
    }

    /**
     * The log in a directory.
     *
     * @param shard   whose log it is.
     * @param storage the directory.
     * @return the log, of which nothing is read yet.
     */
    public static ShardLog in(final int shard, final Storage storage) {
        return new ShardLog(shard, storage);
    }

    private ShardLog(final int shard, final Storage storage, final long lastSequence) {
        this.shard = shard;
        this.storage = storage;
        this.lastSequence = lastSequence;
    }

    /** The log in a shard's directory, or null when there is none. */
    static @Nullable ShardLog find(final Storage storage) throws IOException {
        final JournalHead head = new JournalHead();
        try {
            for (final String name : storage.list()) {
                if (JournalFile.firstSequence(name) > 0) {
                    try (StoredFile file = storage.open(name, false)) {
                        file.read(head.bytes(), 0);
                        return new ShardLog(head.shard(), storage);
                    }
                }
            }
            return null;
        } finally {
            head.free();
        }
    }

    /**
     * The same log, whose scans end where it ends now, however much a broker adds meanwhile: also when what is read is
     * published to that broker again. Reads the newest file.
     *
     * @return the log up to its present end; this one when that is fixed already.
     * @throws IOException when it cannot be read.
     */
    public ShardLog endingNow() throws IOException {
        return lastSequence == Long.MAX_VALUE ? new ShardLog(shard, storage, newestSequence()) : this;
    }

    /**
     * How many records there are up to the end that {@link #endingNow()} has found.
     *
     * @return 0 when the end is open.
     * @throws IOException when the directory cannot be read.
     */
    public long recordCount() throws IOException {
        return lastSequence == Long.MAX_VALUE ? 0 : Math.max(0, lastSequence - Math.max(1, firstSequence()) + 1);
    }

    private long newestSequence() throws IOException {
        final long[] sequences = sequences();
        if (sequences.length == 0) {
            return 0;
        }
        try {
            return end().sequence();
        } catch (final JournalCorruptException e) {
            // A reader that reaches the place is notified.
            return sequences[sequences.length - 1] - 1;
        }
    }

    /**
     * Finds where the log ends now. Reads the newest file.
     *
     * @return its last good record, and the place behind it; damage there is not looked for.
     * @throws JournalCorruptException when the newest file's head is damaged.
     * @throws IOException             when there is no file, or it cannot be read.
     */
    public End end() throws IOException {
        final long[] sequences = sequences();
        if (sequences.length == 0) {
            throw new NoSuchFileException(path(), null, "no file of a log");
        }
        final JournalFile newest = new JournalFile(sequences[sequences.length - 1], new SparseIndex(), false);
        final JournalFiles files = new JournalFiles(shard, 0, storage);
        files.add(newest);
        try (JournalReader reader = new JournalReader(files, JournalReader.BUFFER_LENGTH_DEFAULT)) {
            return new End(reader.lastOf(newest), reader.position());
        }
    }

    /**
     * Lets the log of a directory that no broker uses go on far above its last record: for a copy that is older than what
     * the log came to, so that no sequence is given twice. Adds a file.
     *
     * @param logId of the log.
     * @return first sequence of the file that was added.
     * @throws IOException when the log is damaged, or the disk fails.
     */
    public long leaveGap(final long logId) throws IOException {
        return new JournalQuarantine(JournalFiles.find(shard, logId, storage), KnownFiles.NONE, fileLength())
                .leaveGap(end().sequence());
    }

    private long fileLength() throws IOException {
        final List<LogFile> files = files();
        return files.get(files.size() - 1).length();
    }

    /**
     * Where a log ends.
     *
     * @param sequence of the last record; one less than the newest file's first when that has none.
     * @param position in the newest file, behind that record.
     */
    public record End(long sequence, long position) {}

    public int shard() {
        return shard;
    }

    /**
     * Where it is.
     *
     * @return its directory.
     */
    public String path() {
        return storage.path("");
    }

    /**
     * The files that are there now.
     *
     * @return in their order; what is wrong with one stands with it.
     * @throws IOException when they cannot be read.
     */
    public List<LogFile> files() throws IOException {
        final long[] sequences = sequences();
        final List<LogFile> files = new ArrayList<>();
        final JournalHead head = new JournalHead();
        try {
            for (int i = 0; i < sequences.length; i++) {
                final long next = i + 1 < sequences.length ? sequences[i + 1] : 1;
                try {
                    files.add(file(head, sequences[i], next - 1));
                } catch (final NoSuchFileException | FileNotFoundException e) {
                    // A broker has removed it meanwhile.
                }
            }
        } finally {
            head.free();
        }
        return files;
    }

    /**
     * The newest file that is there now.
     *
     * @return it, with what is wrong with its head.
     * @throws IOException when there is none, or it cannot be read.
     */
    public LogFile newest() throws IOException {
        final long[] sequences = sequences();
        if (sequences.length == 0) {
            throw new NoSuchFileException(path(), null, "no file of a log");
        }
        final JournalHead head = new JournalHead();
        try {
            return file(head, sequences[sequences.length - 1], 0);
        } finally {
            head.free();
        }
    }

    /**
     * Reads all records, from the first that is there.
     *
     * @return before the first record.
     * @throws IOException when the files cannot be read.
     */
    public LogScan scan() throws IOException {
        return scan(1);
    }

    /**
     * Reads the records from one on.
     *
     * @param from sequence of the first that is wanted, which may be the one that comes next.
     * @return before that record, or before the first that is there if it is a later one.
     * @throws JournalCorruptException when what is before it is damaged or missing.
     * @throws IOException             when the files cannot be read.
     */
    public LogScan scan(final long from) throws IOException {
        return new LogScan(this, from, lastSequence);
    }

    /**
     * The first record that is there now.
     *
     * @return its sequence by its file's name; 0 when there is no file.
     * @throws IOException when the directory cannot be read.
     */
    public long firstSequence() throws IOException {
        final long[] sequences = sequences();
        return sequences.length == 0 ? 0 : sequences[0];
    }

    /**
     * After which record the log begins now: a snapshot of the state that the log goes on from is at this one or later.
     *
     * @return sequence; 0 when there is no file, or nothing before the first one.
     * @throws IOException when the directory or the first file cannot be read.
     */
    public long beginsAfter() throws IOException {
        return JournalFiles.find(shard, 0, storage).beginsAfter();
    }

    /**
     * The snapshots that are there now, damaged or not.
     *
     * @return their sequences, the newest first.
     * @throws IOException when the directory cannot be read.
     */
    public List<Long> snapshots() throws IOException {
        return SnapshotFormat.list(storage);
    }

    /**
     * Opens a snapshot, whose blocks are checked as they are read.
     *
     * @param sequence of the snapshot.
     * @return before its first entry; stays readable when a broker deletes the file meanwhile.
     * @throws SnapshotCorruptException when its head is not what was written.
     * @throws NoSuchFileException      when a broker has deleted it meanwhile.
     * @throws IOException              when it cannot be read.
     */
    public SnapshotReader snapshot(final long sequence) throws IOException {
        return new SnapshotReader(storage, shard, 0, sequence);
    }

    /**
     * Where a snapshot is.
     *
     * @param sequence of the snapshot.
     * @return its path.
     */
    public String snapshotPath(final long sequence) {
        return storage.path(SnapshotFormat.name(sequence));
    }

    Storage storage() {
        return storage;
    }

    /** The first sequences of the files that are there now. */
    long[] sequences() throws IOException {
        return storage.list().stream()
                .mapToLong(ShardLog::sequence)
                .filter(sequence -> sequence > 0)
                .toArray();
    }

    private static long sequence(final String name) {
        try {
            return JournalFile.firstSequence(name);
        } catch (final IOException e) {
            return 0;
        }
    }

    private LogFile file(final JournalHead head, final long first, final long last) throws IOException {
        final String name = JournalFile.name(first);
        try (StoredFile file = storage.open(name, false)) {
            final String wrong = head.check(file.read(head.bytes(), 0), shard);
            return new LogFile(
                    name,
                    storage.path(name),
                    first,
                    last,
                    file.length(),
                    wrong == null
                            ? new LogFile.Marks(head.createdNs(), head.epoch(), head.durableSequence(), head.next())
                            : LogFile.Marks.NONE,
                    wrong);
        }
    }
}
