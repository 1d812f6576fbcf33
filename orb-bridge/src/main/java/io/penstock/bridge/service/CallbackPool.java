package io.penstock.bridge.service;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that call clients. What waits for one is bounded by the subscriptions: each has one call at a time. A thread
 * whose call takes too long is written off, whether or not its subscription is there still, and another one takes its
 * place, until as many are written off as there may be threads.
 */
final class CallbackPool {
    private static final long IDLE_S = 10;

    private final ThreadPoolExecutor executor;
    private final Set<Caller> calling = ConcurrentHashMap.newKeySet();
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

    /** A call begins, on a thread of the pool. */
    void begun(final Caller caller) {
        calling.add(caller);
        if (executor.isShutdown()) {
            caller.abort();
        }
    }

    /** The call has ended. */
    void ended(final Caller caller) {
        calling.remove(caller);
    }

    /** Called in turn: writes off the threads whose calls take too long. */
    void writeOffWhatIsStuck(final long nowNs) {
        calling.forEach(caller -> caller.writeOffWhenStuck(nowNs));
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
        // A place may be given back just before it is noted as written off.
        final int count = threadCountMax + Math.max(0, Math.min(writtenOffCount, threadCountMax));
        if (count > executor.getMaximumPoolSize()) {
            executor.setMaximumPoolSize(count);
            executor.setCorePoolSize(count);
        } else {
            executor.setCorePoolSize(count);
            executor.setMaximumPoolSize(count);
        }
    }

    boolean isCalling() {
        return !calling.isEmpty();
    }

    int threadCount() {
        return executor.getPoolSize();
    }

    /** Ends the calls under way. */
    void close() {
        executor.shutdownNow();
        calling.forEach(Caller::abort);
    }
}
