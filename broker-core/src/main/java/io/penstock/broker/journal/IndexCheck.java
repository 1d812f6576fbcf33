package io.penstock.broker.journal;

import io.penstock.broker.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares the indexes of a shard's full files with the records of those files, and rebuilds wrong ones on demand. The
 * newest file has no index: it is still written. Used once, by one thread.
 */
public final class IndexCheck {
    private final ShardLog log;
    private final Storage storage;
    private final boolean rebuilds;
    private final Consumer<IndexFinding> handler;

    /**
     * Checks nothing yet.
     *
     * @param log      whose indexes are meant.
     * @param rebuilds whether wrong ones are made again, and those that belong to no file are deleted: only of a log that
     *                 no broker uses.
     * @param handler  gets what is found of each index.
     */
    public IndexCheck(final ShardLog log, final boolean rebuilds, final Consumer<IndexFinding> handler) {
        this.log = log;
        storage = log.storage();
        this.rebuilds = rebuilds;
        this.handler = handler;
    }

    /**
     * Reads all full files and their indexes.
     *
     * @throws IOException when the disk fails.
     */
    public void run() throws IOException {
        final long[] sequences = log.sequences();
        final JournalFiles files = new JournalFiles(log.shard(), 0, storage);
        for (final long sequence : sequences) {
            // An index that is there is not to be trusted.
            files.add(new JournalFile(sequence, new SparseIndex(), false));
        }
        final JournalFile[] present = files.snapshot();
        for (int i = 0; i < present.length - 1; i++) {
            try {
                check(files, present[i], present[i + 1].firstSequence());
            } catch (final NoSuchFileException e) {
                // A broker has removed the file meanwhile.
            }
        }
        findStrays(sequences);
    }

    private void check(final JournalFiles files, final JournalFile file, final long end) throws IOException {
        final long[] made;
        try {
            made = JournalIndexes.made(files, file, end);
        } catch (final JournalCorruptException e) {
            handler.accept(new IndexFinding(file.indexName(), 0, "cannot be checked: " + e.getMessage(), false));
            return;
        }
        final String wrong = compare(file, made);
        if (wrong != null && !storage.exists(file.name())) {
            // A broker has removed both meanwhile.
            return;
        }
        final boolean makes = wrong != null && rebuilds;
        if (makes) {
            file.index().install(made);
            IndexFile.replace(storage, log.shard(), file);
        }
        handler.accept(new IndexFinding(file.indexName(), made.length / SparseIndex.FIELDS, wrong, makes));
    }

    private @Nullable String compare(final JournalFile file, final long[] made) {
        final long[] stored;
        try {
            if (!storage.exists(file.indexName())) {
                return "missing";
            }
            stored = IndexFile.read(storage, log.shard(), file);
        } catch (final IOException e) {
            return e.getMessage() == null ? e.toString() : e.getMessage();
        }
        final int mismatch = Arrays.mismatch(stored, made);
        if (mismatch < 0) {
            return null;
        }
        final int at = mismatch - mismatch % SparseIndex.FIELDS;
        return "differs from its file: entry " + (1 + at / SparseIndex.FIELDS) + " is " + entry(stored, at)
                + ", the file has " + entry(made, at);
    }

    private static String entry(final long[] entries, final int at) {
        return at >= entries.length
                ? "none"
                : "record " + entries[at] + " of " + entries[at + 1] + " ns at byte " + entries[at + 2];
    }

    private void findStrays(final long[] sequences) throws IOException {
        final List<String> names = storage.list();
        boolean deleted = false;
        for (final String name : names) {
            final long sequence = sequence(name);
            if (sequence > 0
                    && Arrays.binarySearch(sequences, sequence) < 0
                    && !names.contains(JournalFile.name(sequence))) {
                if (rebuilds) {
                    storage.delete(name);
                    deleted = true;
                }
                handler.accept(new IndexFinding(name, 0, "belongs to no file of the log", rebuilds));
            }
        }
        if (deleted) {
            storage.sync();
        }
    }

    private static long sequence(final String name) {
        try {
            return JournalFile.indexedSequence(name);
        } catch (final IOException e) {
            return 0;
        }
    }
}
