package io.penstock.bridge.iiop;

import java.util.ArrayDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that make calls which wait for the broker. Connections take turns, so that one with many calls does not keep
 * others waiting; what waits is bounded by what connections may have under way. Safe on any thread.
 */
final class CallPool {
    private static final long IDLE_S = 10;

    private final ThreadPoolExecutor executor;
    private final ArrayDeque<Line> lines = new ArrayDeque<>();

    CallPool(final int threadCountMax, final ThreadFactory threads) {
        // A task for each call that waits, whichever it takes: the queue is as bounded as the calls are.
        executor = new ThreadPoolExecutor(
                threadCountMax, threadCountMax, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        executor.allowCoreThreadTimeOut(true);
    }

    /** Has a call made in the turn of its line. */
    void submit(final Line line, final Runnable call) {
        final boolean isHeld;
        synchronized (lines) {
            line.calls.add(call);
            isHeld = line.isHeld;
            list(line);
        }
        if (!isHeld) {
            execute(1);
        }
    }

    private void list(final Line line) {
        if (!line.isHeld && !line.isListed && !line.calls.isEmpty()) {
            line.isListed = true;
            lines.add(line);
        }
    }

    private void execute(final int count) {
        try {
            for (int i = 0; i < count; i++) {
                executor.execute(this::callNext);
            }
        } catch (final RejectedExecutionException e) {
            // The bridge is closing, and all connections with it.
            return;
        }
    }

    private void callNext() {
        final Runnable call;
        synchronized (lines) {
            Line line = lines.poll();
            while (line != null && line.isHeld) {
                line.isListed = false;
                line = lines.poll();
            }
            if (line == null) {
                return;
            }
            line.isListed = false;
            call = line.calls.remove();
            list(line);
        }
        call.run();
    }

    /** Makes no more calls of a line, or goes on. */
    void hold(final Line line, final boolean isHeld) {
        int more = 0;
        synchronized (lines) {
            if (line.isHeld != isHeld) {
                line.isHeld = isHeld;
                more = isHeld ? 0 : line.calls.size();
                list(line);
            }
        }
        execute(more);
    }

    /** Makes none of the calls that wait in a line. */
    void drop(final Line line) {
        synchronized (lines) {
            line.calls.clear();
            line.isListed = false;
            lines.remove(line);
        }
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
