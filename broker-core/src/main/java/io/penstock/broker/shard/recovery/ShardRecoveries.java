package io.penstock.broker.shard.recovery;

import io.penstock.broker.journal.JournalRecovery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Recovers shards side by side. The first error in time is the one that counts: the other shards are cancelled, and all
 * threads have ended when it is thrown.
 */
public final class ShardRecoveries {
    private final List<ShardRecovery> recoveries;
    private final int threadCount;
    private final AtomicReferenceArray<JournalRecovery.@Nullable Recovered> logs;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** @param threadCount at most; 1 or a single shard needs none but the calling one. */
    public ShardRecoveries(final List<ShardRecovery> recoveries, final int threadCount) {
        this.recoveries = recoveries;
        this.threadCount = Math.min(threadCount, recoveries.size());
        logs = new AtomicReferenceArray<>(recoveries.size());
    }

    /** Returns what was found, by shard. */
    public List<JournalRecovery.Recovered> run() throws IOException {
        final List<Thread> threads = new ArrayList<>();
        try {
            for (int i = 1; i < threadCount; i++) {
                final Thread thread = new Thread(this::recover, "penstock-recovery-" + i);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
            recover();
        } finally {
            join(threads);
        }
        final Throwable cause = failure.get();
        if (cause instanceof IOException e) {
            throw e;
        }
        if (cause instanceof RuntimeException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        final List<JournalRecovery.Recovered> found = new ArrayList<>();
        for (int shard = 0; shard < logs.length(); shard++) {
            final JournalRecovery.Recovered log = logs.get(shard);
            if (log != null) {
                found.add(log);
            }
        }
        return found;
    }

    /** Takes one shard after the other, as all threads do. */
    private void recover() {
        int shard;
        while (failure.get() == null && (shard = next.getAndIncrement()) < recoveries.size()) {
            try {
                logs.set(shard, recoveries.get(shard).run());
            } catch (final IOException | RuntimeException | Error e) {
                fail(e);
            }
        }
    }

    private void fail(final Throwable cause) {
        if (failure.compareAndSet(null, cause)) {
            recoveries.forEach(ShardRecovery::cancel);
        }
    }

    /** An interrupt ends the start, but not before what the threads read is closed. */
    private void join(final List<Thread> threads) {
        boolean isInterrupted = false;
        for (final Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (final InterruptedException e) {
                    isInterrupted = true;
                    fail(new IOException("journal: interrupted while the logs were read (start the broker again)", e));
                }
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
