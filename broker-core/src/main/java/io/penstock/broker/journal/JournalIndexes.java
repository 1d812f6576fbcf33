package io.penstock.broker.journal;

import java.io.IOException;

/**
 * Stores the indexes of a shard's full files, and makes those again that are missing or damaged. Confined to the keeper.
 */
public final class JournalIndexes {
    private final JournalFiles files;

    /**
     * @param files of the shard.
     */
    public JournalIndexes(final JournalFiles files) {
        this.files = files;
    }

    /**
     * Stores one index, if one is to be stored.
     *
     * @return what was done.
     * @throws IOException when files cannot be read or written.
     */
    public Result store() throws IOException {
        final JournalFile[] present = files.snapshot();
        for (int i = 0; i < present.length - 1; i++) {
            final JournalFile each = present[i];
            if (!each.isIndexStored()) {
                return store(each, present[i + 1].firstSequence());
            }
        }
        return Result.NOTHING;
    }

    private Result store(final JournalFile file, final long end) throws IOException {
        final boolean missing = !file.isIndexed();
        try {
            if (missing) {
                rebuild(file, end);
            }
            IndexFile.write(files.storage(), files.shard(), file);
            return missing ? Result.REBUILT : Result.STORED;
        } finally {
            // Not tried again when it failed: reading goes on without.
            file.setIndexStored(true);
        }
    }

    private void rebuild(final JournalFile file, final long end) throws IOException {
        file.index().install(made(files, file, end));
        file.setIndexed();
    }

    /** The entries that a file's records make, up to the first record of the file after it. */
    static long[] made(final JournalFiles files, final JournalFile file, final long end) throws IOException {
        final SparseIndex index = new SparseIndex();
        try (JournalReader reader = new JournalReader(files, JournalReader.BUFFER_LENGTH_DEFAULT)) {
            reader.seek(file.firstSequence());
            while (reader.next(end - 1)) {
                index.onRecord(reader.buffer(), reader.offset(), reader.recordPosition());
            }
        }
        return index.entries();
    }

    /** The result of the work. */
    public enum Result {
        NOTHING,

        /** An index that was kept as records were written is on the disk now. */
        STORED,

        /** An index that was missing or damaged was made again from its file. */
        REBUILT
    }
}
