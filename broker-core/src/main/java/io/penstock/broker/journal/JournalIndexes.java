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
     * @return what was wrong with an index that was made again, or null.
     * @throws IOException when files cannot be read or written.
     */
    public Result store() throws IOException {
        final JournalFile[] present = files.snapshot();
        for (int i = 0; i < present.length - 1; i++) {
            final JournalFile each = present[i];
            if (!each.isIndexStored()) {
                // Not tried again when it fails: reading goes on without.
                each.setIndexStored(true);
                final boolean missing = !each.isIndexed();
                if (missing) {
                    rebuild(each, present[i + 1].firstSequence());
                }
                IndexFile.write(files.storage(), files.shard(), each);
                return missing ? Result.REBUILT : Result.STORED;
            }
        }
        return Result.NOTHING;
    }

    private void rebuild(final JournalFile file, final long end) throws IOException {
        final SparseIndex index = new SparseIndex();
        try (JournalReader reader = new JournalReader(files, JournalReader.BUFFER_LENGTH_DEFAULT)) {
            reader.seek(file.firstSequence());
            while (reader.next(end - 1)) {
                index.onRecord(reader.buffer(), reader.offset(), reader.recordPosition());
            }
        }
        file.index().install(index.entries());
        file.setIndexed();
    }

    /** What was done. */
    public enum Result {
        NOTHING,

        /** An index that was kept as records were written is on the disk now. */
        STORED,

        /** An index that was missing or damaged was made again from its file. */
        REBUILT
    }
}
