package io.penstock.bridge.service;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that call clients. What waits for one is bounded by the subscriptions: each has one call at a time. A thread
 * whose call takes too long is written off, and another one takes its place, until as many are written off as there may be
 * threads.
 */
final class CallbackPool {
    private static final long IDLE_S = 10;

    private final ThreadPoolExecutor executor;
    private final int threadCountMax;
    private int writtenOffCount;

    CallbackPool(final int threadCountMax) {
        this.threadCountMax = threadCountMax;
        executor = new ThreadPoolExecutor(
                threadCountMax,
                threadCountMax,
                IDLE_S,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DaemonThreads("penstock-bridge-callback"));
        executor.allowCoreThreadTimeOut(true);
    }

    /** Returns false when the bridge is closing. */
    boolean execute(final Runnable call) {
        try {
            executor.execute(call);
            return true;
        } catch (final RejectedExecutionException e) {
            return false;
        }
    }

    synchronized void writeOff() {
        writtenOffCount++;
        resize();
    }

    synchronized void takeBack() {
        writtenOffCount--;
        resize();
    }

    private void resize() {
        final int count = threadCountMax + Math.min(writtenOffCount, threadCountMax);
        if (count > executor.getMaximumPoolSize()) {
            executor.setMaximumPoolSize(count);
            executor.setCorePoolSize(count);
        } else {
            executor.setCorePoolSize(count);
            executor.setMaximumPoolSize(count);
        }
    }

    int threadCount() {
        return executor.getPoolSize();
    }

    void close() {
        executor.shutdownNow();
    }
}
