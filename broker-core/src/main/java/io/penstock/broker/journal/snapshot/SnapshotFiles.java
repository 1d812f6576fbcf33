package io.penstock.broker.journal.snapshot;

import io.penstock.broker.storage.Storage;
import java.io.IOException;
import java.util.List;

/**
 * The files with a shard's state. Two are kept: if the newest is damaged one day, the one before and the log after it
 * are as good. Used by the thread that starts the broker, then by the keeper.
 */
public final class SnapshotFiles {
    private static final int KEPT_COUNT = 2;
    private static final String DAMAGED_SUFFIX = ".damaged";

    private final Storage storage;

    /**
     * @param storage the shard's directory.
     */
    public SnapshotFiles(final Storage storage) {
        this.storage = storage;
    }

    /**
     * The snapshots that are there, damaged or not.
     *
     * @return their sequences, the newest first.
     * @throws IOException when the directory cannot be read.
     */
    public List<Long> sequences() throws IOException {
        return SnapshotFormat.list(storage);
    }

    /**
     * The first sequence of the log that a start may need: what follows on the oldest snapshot that is kept, and all of it
     * while there are fewer than two.
     *
     * @return sequence.
     * @throws IOException when the directory cannot be read.
     */
    public long needed() throws IOException {
        final List<Long> sequences = sequences();
        return sequences.size() < KEPT_COUNT ? 1 : sequences.get(KEPT_COUNT - 1) + 1;
    }

    /**
     * Deletes the snapshots that are too many.
     *
     * @throws IOException when the disk fails.
     */
    public void trim() throws IOException {
        final List<Long> sequences = sequences();
        for (int i = KEPT_COUNT; i < sequences.size(); i++) {
            storage.delete(SnapshotFormat.name(sequences.get(i)));
        }
        if (sequences.size() > KEPT_COUNT) {
            storage.sync();
        }
    }

    /**
     * Gives a damaged snapshot another name, so that it is not tried again and counts no more.
     *
     * @param sequence of the snapshot.
     * @return its path, for people.
     * @throws IOException when the disk fails.
     */
    public String putAside(final long sequence) throws IOException {
        final String name = SnapshotFormat.name(sequence) + DAMAGED_SUFFIX;
        storage.rename(SnapshotFormat.name(sequence), name);
        storage.sync();
        return storage.path(name);
    }
}
