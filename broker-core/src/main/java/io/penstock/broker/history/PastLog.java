package io.penstock.broker.history;

import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StorageUnion;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A shard's files, and how far they were written.
 *
 * @param files    of the shard.
 * @param archive  where files are that were let go, or null.
 * @param counters of the shard, that say so.
 */
record PastLog(JournalFiles files, @Nullable Storage archive, ShardCounters counters) {
    /** The files of the archive and of the log, as they are now. */
    JournalFiles withArchive() throws IOException {
        return archive == null
                ? files
                : JournalFiles.find(files.shard(), 0, new StorageUnion(files.storage(), archive));
    }
}
