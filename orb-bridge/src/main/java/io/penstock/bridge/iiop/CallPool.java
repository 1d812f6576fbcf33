package io.penstock.bridge.iiop;

import java.util.ArrayDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads that make calls which wait for the broker. Connections take turns, so that one with many calls does not keep
 * others waiting; what waits is bounded by what connections may have under way. Safe on any thread.
 */
final class CallPool {
    private static final long IDLE_S = 10;

    private final ThreadPoolExecutor executor;
    private final Runnable next = this::callNext;
    private final ArrayDeque<Line> lines = new ArrayDeque<>();

    CallPool(final int threadCountMax, final ThreadFactory threads) {
        // A task for each line that is listed: the queue is as bounded as the connections are.
        executor = new ThreadPoolExecutor(
                threadCountMax, threadCountMax, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        executor.allowCoreThreadTimeOut(true);
    }

    /** Has a call made in the turn of its line. */
    void submit(final Line line, final Runnable call) {
        final boolean isListed;
        synchronized (lines) {
            line.calls.add(call);
            isListed = list(line);
        }
        executeIf(isListed);
    }

    /** Takes a call back; returns false when it has begun, or is not there. */
    boolean withdraw(final Line line, final Runnable call) {
        synchronized (lines) {
            return line.calls.remove(call);
        }
    }

    /** Returns whether it was not listed. */
    private boolean list(final Line line) {
        if (line.isHeld || line.isListed || line.calls.isEmpty()) {
            return false;
        }
        line.isListed = true;
        lines.add(line);
        return true;
    }

    private void executeIf(final boolean isListed) {
        if (!isListed) {
            return;
        }
        try {
            executor.execute(next);
        } catch (final RejectedExecutionException e) {
            // The bridge is closing, and all connections with it.
            return;
        }
    }

    private void callNext() {
        final @Nullable Runnable call;
        final boolean isListed;
        synchronized (lines) {
            final Line line = lines.remove();
            line.isListed = false;
            call = line.isHeld ? null : line.calls.poll();
            isListed = list(line);
        }
        executeIf(isListed);
        if (call != null) {
            call.run();
        }
    }

    /** Makes no more calls of a line, or goes on. */
    void hold(final Line line, final boolean isHeld) {
        final boolean isListed;
        synchronized (lines) {
            line.isHeld = isHeld;
            isListed = list(line);
        }
        executeIf(isListed);
    }

    /** Number of calls that wait for a thread. */
    int waitingCount() {
        return executor.getQueue().size();
    }

    int threadCount() {
        return executor.getPoolSize();
    }

    void close() {
        executor.shutdownNow();
    }

    /** The calls of one connection that wait for a thread. */
    static final class Line {
        private final ArrayDeque<Runnable> calls = new ArrayDeque<>();
        private boolean isListed;
        private boolean isHeld;
    }
}
