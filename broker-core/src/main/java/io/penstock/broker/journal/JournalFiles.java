package io.penstock.broker.journal;

import io.penstock.broker.monitor.ShardInfo;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The files of one shard's log, in their order, and how far they were written. Files are added by the journaler and
 * removed by the keeper; read by any thread.
 */
public final class JournalFiles {
    private final int shard;
    private final long logId;
    private final Storage storage;
    private final AtomicReference<JournalFile[]> files = new AtomicReference<>(new JournalFile[0]);

    /**
     * Starts with none.
     *
     * @param shard   whose log it is.
     * @param logId   that files have which are of this log; 0 when that is not known.
     * @param storage the shard's directory.
     */
    public JournalFiles(final int shard, final long logId, final Storage storage) {
        this.shard = shard;
        this.logId = logId;
        this.storage = storage;
    }

    /**
     * Finds the files of a shard, of which nothing is read yet.
     *
     * @param shard   whose log it is.
     * @param logId   that files have which are of this log; 0 when that is not known.
     * @param storage the shard's directory.
     * @return the files.
     * @throws IOException when the directory cannot be read.
     */
    public static JournalFiles find(final int shard, final long logId, final Storage storage) throws IOException {
        final JournalFiles files = new JournalFiles(shard, logId, storage);
        files.addAll();
        return files;
    }

    /** How many files there are. Any thread. */
    public int count() {
        return files.getAcquire().length;
    }

    /**
     * What the files are. Any thread.
     *
     * @return the oldest first.
     */
    public List<ShardInfo.File> describe() {
        final List<ShardInfo.File> all = new ArrayList<>();
        for (final JournalFile file : files.getAcquire()) {
            all.add(new ShardInfo.File(file.name(), file.firstSequence()));
        }
        return all;
    }

    /**
     * Puts what was written to files without a sync on stable storage.
     *
     * @param from first sequence that may be missing there.
     * @throws IOException when it may still be missing.
     */
    public void sync(final long from) throws IOException {
        final JournalFile[] present = files.getAcquire();
        for (int i = 0; i < present.length; i++) {
            if (i == present.length - 1 || present[i + 1].firstSequence() > from) {
                try (StoredFile file = storage.open(present[i].name(), true)) {
                    file.sync();
                }
            }
        }
        storage.sync();
    }

    public int shard() {
        return shard;
    }

    /** The id that distinguishes files of this log from others; 0 when it is not known. */
    public long logId() {
        return logId;
    }

    public Storage storage() {
        return storage;
    }

    /**
     * The first sequence that the files still hold.
     *
     * @return sequence; 0 when there is no file.
     */
    public long firstSequence() {
        final JournalFile[] present = files.getAcquire();
        return present.length == 0 ? 0 : present[0].firstSequence();
    }

    /**
     * Notes which files there are.
     *
     * @param known where.
     * @throws IOException when the disk fails.
     */
    public void note(final KnownFiles known) throws IOException {
        final JournalFile[] present = files.getAcquire();
        if (present.length > 0) {
            known.note(present[0].firstSequence(), present[present.length - 1].firstSequence());
        }
    }

    /**
     * Whether the newest file is noted.
     *
     * @param known where.
     * @return false when {@link #note} has to be called.
     */
    public boolean isNoted(final KnownFiles known) {
        final JournalFile newest = last();
        return newest == null || newest.firstSequence() == known.newest();
    }

    /** Adds the files that a directory has, none of which is read. */
    void addAll() throws IOException {
        final List<String> names = storage.list();
        for (final String name : names) {
            final long first = JournalFile.firstSequence(name);
            if (first > 0) {
                final JournalFile file = new JournalFile(first, new SparseIndex(), false);
                file.setIndexStored(names.contains(file.indexName()));
                add(file);
            }
        }
    }

    /** The index of a file: read from the disk when it is not in memory; empty when there is none. Any thread. */
    SparseIndex index(final JournalFile file) {
        if (!file.isIndexed() && file.isIndexStored()) {
            try {
                file.index().install(IndexFile.read(storage, shard, file));
                file.setIndexed();
            } catch (final IOException e) {
                // The keeper makes it again, and says so.
                file.setIndexStored(false);
            }
        }
        return file.index();
    }

    /**
     * A record that is older than a time, not far before it: from there on records have to be looked at. Any thread. May
     * read indexes from the disk: of as many files as the count of files has binary digits, about 24 bytes for each 64 KiB
     * of a file, and each only once.
     *
     * @param timestampNs since 1970.
     * @return its sequence, or the first one there is.
     */
    public long sequenceBefore(final long timestampNs) {
        final JournalFile[] present = files.getAcquire();
        int low = 0;
        int high = present.length;
        while (low < high) {
            final int middle = (low + high) >>> 1;
            if (index(present[middle]).firstTimestampNs() < timestampNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == 0) {
            return present.length == 0 ? 0 : present[0].firstSequence();
        }
        return Math.max(
                present[low - 1].firstSequence(), index(present[low - 1]).sequenceBefore(timestampNs));
    }

    /**
     * After which record the log begins: that of a snapshot has to be at least this one.
     *
     * @return sequence; 0 when there is no file, or nothing before the first one.
     * @throws IOException when the file cannot be read.
     */
    public long beginsAfter() throws IOException {
        final JournalFile[] present = files.getAcquire();
        if (present.length == 0) {
            return 0;
        }
        final JournalHead head = new JournalHead();
        try {
            present[0].readHead(this, head);
            return head.follows();
        } catch (final JournalCorruptException e) {
            // The reader of the file will report it.
            return present[0].firstSequence() - 1;
        } finally {
            head.free();
        }
    }

    /**
     * The file in which the log goes on after another one: its first record has the next sequence, or its head says that
     * it comes next.
     *
     * @param file         that has no more records, or null.
     * @param nextSequence of the record that would be its next.
     * @param head         for heads, overwritten.
     * @return the file, or null.
     */
    @Nullable
    JournalFile following(final @Nullable JournalFile file, final long nextSequence, final JournalHead head)
            throws IOException {
        final JournalFile starting = startingAt(nextSequence);
        if (starting != null) {
            return starting.equals(file) ? null : starting;
        }
        for (final JournalFile each : files.getAcquire()) {
            if (each.firstSequence() > nextSequence) {
                try {
                    each.readHead(this, head);
                    return head.follows() == nextSequence - 1 ? each : null;
                } catch (final JournalCorruptException e) {
                    // The code that opens it will report it.
                    return each;
                }
            }
        }
        return null;
    }

    /** Adds a file after the last one. */
    void add(final JournalFile file) {
        files.updateAndGet(present -> {
            final JournalFile[] more = Arrays.copyOf(present, present.length + 1);
            more[present.length] = file;
            return more;
        });
    }

    /** Forgets a file and all after it. */
    void removeFrom(final JournalFile file) {
        files.updateAndGet(present -> {
            int count = 0;
            while (count < present.length && present[count] != file) {
                count++;
            }
            return Arrays.copyOf(present, count);
        });
    }

    /** Forgets a file. */
    void remove(final JournalFile file) {
        files.updateAndGet(
                present -> Arrays.stream(present).filter(each -> each != file).toArray(JournalFile[]::new));
    }

    /** Forgets the first file. Returns it. */
    JournalFile removeFirst() {
        return files.getAndUpdate(present -> Arrays.copyOfRange(present, 1, present.length))[0];
    }

    /** The newest file, or null. */
    @Nullable
    JournalFile last() {
        final JournalFile[] present = files.getAcquire();
        return present.length == 0 ? null : present[present.length - 1];
    }

    JournalFile[] snapshot() {
        return files.getAcquire();
    }

    /** The file that holds a sequence, or null when it is before the first. */
    @Nullable
    JournalFile find(final long sequence) {
        final JournalFile[] present = files.getAcquire();
        int low = 0;
        int high = present.length;
        while (low < high) {
            final int middle = (low + high) >>> 1;
            if (present[middle].firstSequence() <= sequence) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? null : present[low - 1];
    }

    /** The file whose first record has a sequence, or null. */
    @Nullable
    JournalFile startingAt(final long sequence) {
        final JournalFile file = find(sequence);
        return file != null && file.firstSequence() == sequence ? file : null;
    }
}
