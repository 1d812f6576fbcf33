package io.penstock.broker.history;

import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.storage.Storage;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/**
 * Makes state as it was, for one query after the other: the state stays until its query has ended. The historian reads
 * files and may block for the disk, so it has a thread of its own; of a shard it holds only the file that it reads.
 */
public final class Historian implements Agent {
    /** Tasks that wait for their turn. */
    static final int QUEUE_LENGTH = 64;

    private static final HistoryTask.Failure CANNOT_BE_READ = new HistoryTask.Failure(
            ErrorCode.JOURNAL_FAILED,
            "sow of state as it was: the log cannot be read (the broker's error log says more)");

    private final long memoryLengthMax;
    private final AtomicCounter historyCount;
    private final @Nullable PastLog[] logs;
    private final ManyToOneConcurrentArrayQueue<HistoryTask> queue = new ManyToOneConcurrentArrayQueue<>(QUEUE_LENGTH);
    private ErrorHandler errorHandler = error -> {};
    private @Nullable HistoryTask task;
    private @Nullable PastState state;

    /** @param memoryLengthMax of the state that is made for one query, in bytes. */
    public Historian(final long memoryLengthMax, final int shardCount, final AtomicCounter historyCount) {
        this.memoryLengthMax = memoryLengthMax;
        this.historyCount = historyCount;
        logs = new PastLog[shardCount];
    }

    /** Adds a shard. Called before the start. */
    public void add(final JournalFiles files, final @Nullable Storage archive, final ShardCounters counters) {
        logs[files.shard()] = new PastLog(files, archive, counters);
    }

    /** Who is notified of damage. Called before the start. */
    public void errorHandler(final ErrorHandler value) {
        errorHandler = value;
    }

    /** Takes a task; false when too many wait. Called from any thread. */
    public boolean offer(final HistoryTask next) {
        return queue.offer(next);
    }

    /** Whether it waits for the log to be written; no agent notifies it of that. */
    public boolean isWaiting() {
        final HistoryTask present = task;
        return present != null && present.sources() == null;
    }

    @Override
    public int doWork() {
        final HistoryTask present = task == null ? queue.poll() : task;
        if (present == null) {
            return 0;
        }
        task = present;
        if (present.isReleased()) {
            end();
            return 1;
        }
        return present.sources() == null ? make(present) : 0;
    }

    @Override
    public String roleName() {
        return "historian";
    }

    /** Gives everything back. When nobody reads what was made any more. */
    public void free() {
        end();
    }

    private int make(final HistoryTask of) {
        PastState present = state;
        if (present == null) {
            present = new PastState(of, logs, memoryLengthMax, errorHandler);
            state = present;
        }
        boolean isEnded = true;
        try {
            final int workCount = present.make();
            if (present.isMade()) {
                historyCount.incrementPlain();
                of.complete(present.sources());
            }
            isEnded = false;
            return workCount;
        } catch (final HistoryRefusedException e) {
            of.fail(new HistoryTask.Failure(e.code, e.text));
        } catch (final IOException e) {
            errorHandler.onError(
                    new UncheckedIOException("journal: cannot be read for the state as it was: " + e.getMessage(), e));
        } finally {
            if (isEnded) {
                end();
                if (of.failure() == null) {
                    of.fail(CANNOT_BE_READ);
                }
            }
        }
        return 1;
    }

    private void end() {
        final PastState present = state;
        task = null;
        state = null;
        if (present != null) {
            present.close();
        }
    }
}
