package io.penstock.broker.security;

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Has log-ons checked on threads, some of each address at a time, so that those of one address do not take all threads.
 * The others of an address wait in the order in which they came; a connection has one at a time. Whoever is known to be
 * who it says it is does not wait behind them. Safe on any thread.
 */
public final class LogonTurns {
    /** So many of one address are checked at a time. */
    static final int RUNNING_COUNT_MAX = 2;

    /** So many of one address wait; more are rejected. */
    static final int WAITING_COUNT_MAX = 64;

    private static final int LINE_COUNT_MAX = 4096;

    private final Executor threads;
    private final ConcurrentHashMap<String, Line> lines = new ConcurrentHashMap<>();

    /**
     * Makes it.
     *
     * @param threads on which log-ons are checked.
     */
    public LogonTurns(final Executor threads) {
        this.threads = threads;
    }

    /** The log-ons of one address. Changed while its entry is computed. */
    private static final class Line {
        private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
        private int runningCount;
    }

    /**
     * Has a log-on checked.
     *
     * @param address  where it comes from.
     * @param isProved whether it may go past those that wait.
     * @param check    run once, by a thread.
     * @throws RejectedExecutionException when too many wait; it is not run then.
     */
    public void execute(final String address, final boolean isProved, final Runnable check) {
        if (isProved) {
            threads.execute(check);
        } else if (isNext(address, check)) {
            run(address, check);
        }
    }

    private boolean isNext(final String address, final Runnable check) {
        if (lines.size() >= LINE_COUNT_MAX && !lines.containsKey(address)) {
            throw new RejectedExecutionException("logon: too many addresses");
        }
        final boolean[] isNext = new boolean[1];
        lines.compute(address, (of, before) -> {
            final Line line = before == null ? new Line() : before;
            if (line.runningCount < RUNNING_COUNT_MAX) {
                line.runningCount++;
                isNext[0] = true;
            } else if (line.waiting.size() < WAITING_COUNT_MAX) {
                line.waiting.add(check);
            } else {
                throw new RejectedExecutionException("logon: too many of " + address);
            }
            return line;
        });
        return isNext[0];
    }

    private void run(final String address, final Runnable check) {
        boolean isTaken = false;
        try {
            threads.execute(() -> work(address, check));
            isTaken = true;
        } finally {
            if (!isTaken) {
                giveBack(address);
            }
        }
    }

    /**
     * On a thread: checks, and has the next of the address checked when there is one. When nobody else is free, it checks all
     * that wait, however many come meanwhile.
     */
    private void work(final String address, final Runnable check) {
        @Nullable Runnable next = check;
        while (next != null) {
            boolean isDone = false;
            try {
                next.run();
                isDone = true;
            } finally {
                if (!isDone) {
                    goOn(address);
                }
            }
            next = handOver(address);
        }
    }

    private void goOn(final String address) {
        final Runnable next = handOver(address);
        if (next != null) {
            work(address, next);
        }
    }

    /** Has the next of an address checked by another thread. Returns it when none is free: whoever waits is to get an answer. */
    private @Nullable Runnable handOver(final String address) {
        final Runnable next = next(address);
        if (next != null) {
            try {
                threads.execute(() -> work(address, next));
            } catch (final RejectedExecutionException e) {
                return next;
            }
        }
        return null;
    }

    /** A check was not begun. Those that came to wait meanwhile are checked by a thread of their own, if no other is left. */
    private void giveBack(final String address) {
        final boolean[] isLeft = new boolean[1];
        lines.computeIfPresent(address, (of, line) -> {
            isLeft[0] = line.runningCount == 1 && !line.waiting.isEmpty();
            return isLeft[0] || --line.runningCount > 0 ? line : null;
        });
        if (isLeft[0]) {
            final Thread thread = new Thread(() -> goOn(address), "penstock-logon-line");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private @Nullable Runnable next(final String address) {
        final @Nullable Runnable[] next = new Runnable[1];
        lines.computeIfPresent(address, (of, line) -> {
            next[0] = line.waiting.poll();
            return next[0] == null && --line.runningCount == 0 ? null : line;
        });
        return next[0];
    }
}
