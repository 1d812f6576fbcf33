package io.penstock.broker.journal;

import io.penstock.broker.storage.DiskStorage;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A directory of logs as tools see it: it is only read, without its lock, while a broker uses it or not, unless the lock is
 * asked for. Confined to one thread.
 */
public final class JournalCatalog {
    private static final String SHARD_PREFIX = "shard-";

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
                    + ": is the directory of one shard, and what tells whether a broker uses it is in the one above"
                    + " (give the journal.directory)");
        }
        return storage.lock();
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
