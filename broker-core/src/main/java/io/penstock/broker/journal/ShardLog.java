package io.penstock.broker.journal;

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

    ShardLog(final int shard, final Storage storage) {
        this.shard = shard;
        this.storage = storage;
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
     * Reads all records, from the first that is there.
     *
     * @return before the first record.
     * @throws IOException when the files cannot be read.
     */
    public LogScan scan() throws IOException {
        return new LogScan(this);
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
            final boolean good = wrong == null;
            return new LogFile(
                    name,
                    storage.path(name),
                    first,
                    last,
                    file.length(),
                    good ? head.createdNs() : 0,
                    good ? head.epoch() : 0,
                    good ? head.durableSequence() : 0,
                    wrong);
        }
    }
}
