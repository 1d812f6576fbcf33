package io.penstock.broker.agent;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that check who clients are. They exist while there is something to check; what they cannot take any more is
 * rejected. Any thread may give them something.
 */
public final class LogonWorkers implements Executor, AutoCloseable {
    private static final int QUEUE_LENGTH = 1024;
    private static final long KEEP_ALIVE_S = 10;

    private final ThreadPoolExecutor threads;

    /**
     * Makes them.
     *
     * @param prefix      of the threads' names.
     * @param threadCount of them at most.
     */
    public LogonWorkers(final String prefix, final int threadCount) {
        threads = new ThreadPoolExecutor(
                threadCount,
                threadCount,
                KEEP_ALIVE_S,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUE_LENGTH),
                task -> {
                    final Thread thread = new Thread(task, prefix + "-logon");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(final Runnable task) {
        threads.execute(task);
    }

    /** Interrupts them. What they have not checked stays unanswered. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
