package io.penstock.broker.history;

import io.penstock.broker.journal.snapshot.SnapshotCorruptException;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.shard.store.StateMemory;
import io.penstock.broker.topic.Topic;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BitUtil;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;

/**
 * State of some topics as it was, made in memory of its own from snapshots and logs, one shard after the other. Confined
 * to the historian while it is made; read by query agents then.
 */
final class PastState implements AutoCloseable {
    private static final int ATTEMPTS_MAX = 8;
    private static final int CHUNKS_MIN = 16;

    private final HistoryTask task;
    private final @Nullable PastLog[] logs;
    private final long memoryLengthMax;
    private final ErrorHandler errorHandler;

    /** Snapshots that were damaged, or deleted as they were read: their shards and sequences, as in a bookmark. */
    private final List<String> passedOver = new ArrayList<>();

    private final List<PastShard> shards = new ArrayList<>();
    private StateMemory memory;
    private int next;
    private int attempts;

    /**
     * @param task            says what is asked for.
     * @param logs            by shard, null for those in memory.
     * @param memoryLengthMax in bytes.
     */
    PastState(
            final HistoryTask task,
            final @Nullable PastLog[] logs,
            final long memoryLengthMax,
            final ErrorHandler errorHandler) {
        this.task = task;
        this.logs = logs;
        this.memoryLengthMax = memoryLengthMax;
        this.errorHandler = errorHandler;
        memory = newMemory();
        begin();
    }

    /** Does some of the work. Returns how much; 0 when it waits for the log to be written. */
    int make() throws IOException, HistoryRefusedException {
        if (isMade()) {
            return 0;
        }
        final PastShard shard = shards.get(next);
        try {
            final int workCount = shard.make();
            if (shard.isMade()) {
                next++;
            }
            report();
            return workCount;
        } catch (final SnapshotCorruptException e) {
            errorHandler.onError(new UncheckedIOException(e.getMessage(), e));
            again(shard, e);
        } catch (final IOException e) {
            if (!(e instanceof NoSuchFileException) && !shard.isLogGone()) {
                throw e;
            }
            // The keeper let it go meanwhile.
            again(shard, e);
        }
        return 1;
    }

    boolean isMade() {
        return next == shards.size();
    }

    /** The sources of the state, once it is made. */
    List<QuerySource> sources() {
        final List<QuerySource> sources = new ArrayList<>();
        for (final PastShard shard : shards) {
            shard.addSources(task.keys(), sources);
        }
        return sources;
    }

    @Override
    public void close() {
        for (final PastShard shard : shards) {
            CloseHelper.quietClose(shard);
        }
        shards.clear();
        memory.close();
    }

    private void begin() {
        for (int shard = 0; shard < logs.length; shard++) {
            final List<Topic> topics = new ArrayList<>();
            for (final Topic topic : task.topics()) {
                if (topic.shard() == shard) {
                    topics.add(topic);
                }
            }
            final PastLog log = logs[shard];
            if (!topics.isEmpty() && log != null) {
                shards.add(new PastShard(log, task, topics, memory, passedOver));
            }
        }
    }

    /** Begins anew, without the snapshot that could not be read. */
    private void again(final PastShard shard, final IOException cause) throws IOException {
        if (++attempts == ATTEMPTS_MAX) {
            throw cause;
        }
        shard.passOverSnapshot();
        close();
        memory = newMemory();
        next = 0;
        begin();
    }

    private void report() {
        long count = 0;
        long read = 0;
        for (final PastShard shard : shards) {
            count += shard.recordCount();
            read += shard.recordsRead();
        }
        task.progress(count, read);
    }

    private StateMemory newMemory() {
        final long fitting = Long.highestOneBit(memoryLengthMax / CHUNKS_MIN);
        final long chunk = Math.max(StateMemory.CHUNK_LENGTH_MIN, Math.min(StateMemory.CHUNK_LENGTH_DEFAULT, fitting));
        assert BitUtil.isPowerOfTwo(chunk) : chunk;
        return new StateMemory(memoryLengthMax, (int) chunk);
    }

    /** The refusal when there is no room for a record. */
    static HistoryRefusedException tooLong(final StateMemory memory) {
        return new HistoryRefusedException(
                ErrorCode.LIMIT_REACHED,
                "sow of state as it was: it takes more than state.historyLengthMax, " + memory.budgetLength()
                        + " bytes (ask for fewer topics, or raise it)");
    }
}
