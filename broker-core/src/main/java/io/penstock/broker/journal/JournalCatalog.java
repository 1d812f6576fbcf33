package io.penstock.broker.journal;

import io.penstock.broker.storage.DiskStorage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A directory of logs as tools see it: it is only read, without its lock, while a broker uses it or not, unless the lock is
 * asked for. Confined to one thread.
 */
public final class JournalCatalog {
    private static final String SHARD_PREFIX = "shard-";

    /** A broker adds and removes files meanwhile. */
    private static final int ATTEMPTS = 5;

    private final DiskStorage storage;
    private final boolean isOfBroker;
    private final List<ShardLog> shards;

    private JournalCatalog(final DiskStorage storage, final boolean isOfBroker, final List<ShardLog> shards) {
        this.storage = storage;
        this.isOfBroker = isOfBroker;
        this.shards = shards;
    }

    /**
     * Looks what is there.
     *
     * @param directory of a broker, or of one of its shards.
     * @return its logs.
     * @throws IOException when it is not there, holds no log, or cannot be read.
     */
    public static JournalCatalog open(final String directory) throws IOException {
        final DiskStorage storage = DiskStorage.openPresent(directory);
        final List<ShardLog> shards = new ArrayList<>();
        for (final String name : storage.directories()) {
            if (name.matches(SHARD_PREFIX + "[0-9]{1,4}")) {
                final int shard = Integer.parseInt(name.substring(SHARD_PREFIX.length()));
                shards.add(new ShardLog(shard, DiskStorage.openPresent(storage.path(name))));
            }
        }
        shards.sort((left, right) -> Integer.compare(left.shard(), right.shard()));
        final boolean isOfBroker = !shards.isEmpty();
        if (!isOfBroker) {
            final ShardLog log = ShardLog.find(storage);
            if (log == null) {
                throw new IOException(directory + ": holds no log: neither shard-0 nor files such as "
                        + JournalFile.name(1) + " (give the journal.directory of a broker)");
            }
            shards.add(log);
        }
        return new JournalCatalog(storage, isOfBroker, List.copyOf(shards));
    }

    /**
     * Takes the directory, so that no broker uses it meanwhile.
     *
     * @return gives it back when closed.
     * @throws IOException when a broker uses it, or it is the directory of one shard, which has no lock of its own.
     */
    public Closeable lock() throws IOException {
        if (!isOfBroker) {
            throw new IOException(storage.path("")
                    + ": is the directory of one shard, and what shows whether a broker uses it is in the one above"
                    + " (give the journal.directory)");
        }
        return storage.lock();
    }

    /**
     * Compares what is there with what the manifest says.
     *
     * @return what is missing, for people; empty when nothing is, or this is the directory of one shard.
     * @throws IOException when the directory cannot be read.
     */
    public List<String> missing() throws IOException {
        List<String> missing = List.of();
        for (int attempt = 0; isOfBroker && attempt < ATTEMPTS; attempt++) {
            final JournalManifest manifest = JournalManifest.read(storage);
            missing = new ArrayList<>();
            if (!manifest.problem().isEmpty()) {
                missing.add("journal: " + manifest.problem());
            }
            for (int shard = 0; shard < manifest.shardCount(); shard++) {
                final String wrong = missing(shard, manifest.shard(shard));
                if (wrong != null) {
                    missing.add(wrong);
                }
            }
            if (missing.isEmpty()) {
                break;
            }
        }
        return missing;
    }

    private @Nullable String missing(final int shard, final KnownFiles known) throws IOException {
        final String path = storage.path(SHARD_PREFIX + shard);
        if (known.first() == 0) {
            return null;
        }
        if (!storage.directories().contains(SHARD_PREFIX + shard)) {
            return "journal: " + path + ": the log of shard " + shard + " is missing";
        }
        try {
            final JournalFiles files = JournalFiles.find(shard, known.logId(), DiskStorage.openPresent(path));
            new JournalChain(files, known).check();
            return null;
        } catch (final JournalCorruptException e) {
            return e.getMessage();
        } catch (final NoSuchFileException e) {
            return "journal: " + path + ": a file was removed while it was looked at: " + e.getMessage();
        }
    }

    /**
     * The logs.
     *
     * @return by their shards.
     */
    public List<ShardLog> shards() {
        return shards;
    }
}
