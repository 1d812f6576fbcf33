package io.penstock.broker.journal;

import io.penstock.broker.storage.Storage;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The files of one shard's log, in their order, and how far they were written. Files are added by the journaler and
 * removed by the keeper; read by any thread.
 */
public final class JournalFiles {
    private final int shard;
    private final Storage storage;
    private final AtomicReference<JournalFile[]> files = new AtomicReference<>(new JournalFile[0]);

    /**
     * Starts with none.
     *
     * @param shard   whose log it is.
     * @param storage the shard's directory.
     */
    public JournalFiles(final int shard, final Storage storage) {
        this.shard = shard;
        this.storage = storage;
    }

    public int shard() {
        return shard;
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

    /** Adds a file after the last one. */
    void add(final JournalFile file) {
        files.updateAndGet(present -> {
            final JournalFile[] more = Arrays.copyOf(present, present.length + 1);
            more[present.length] = file;
            return more;
        });
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

    /**
     * A record that is older than a time, not far before it: from there on records have to be looked at.
     *
     * @param timestampNs since 1970.
     * @return its sequence, or the first one there is.
     */
    public long sequenceBefore(final long timestampNs) {
        final JournalFile[] present = files.getAcquire();
        for (int i = present.length - 1; i >= 0; i--) {
            final long sequence = present[i].index().sequenceBefore(timestampNs);
            if (sequence > 0) {
                return sequence;
            }
        }
        return firstSequence();
    }

    /** The file whose first record has a sequence, or null. */
    @Nullable
    JournalFile startingAt(final long sequence) {
        final JournalFile file = find(sequence);
        return file != null && file.firstSequence() == sequence ? file : null;
    }
}
