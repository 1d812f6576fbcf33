package io.penstock.orb.chunk;

import java.net.SocketTimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Whose turn it is to read a connection. Those that wait are woken when there is something for them, and the longest one when
 * nobody reads. Guarded by the connection's lock, but {@link #park} and {@link #end}.
 */
final class ReadTurns {
    private final Object lock;
    private final Waiter.Line waiting = new Waiter.Line();
    private boolean isRead;
    private long count;

    ReadTurns(final Object lock) {
        this.lock = lock;
    }

    /** Whether some thread reads. */
    boolean isRead() {
        return isRead;
    }

    /** How many times one has begun to. */
    long count() {
        return count;
    }

    /** The calling thread reads from here on; nobody else does. */
    void lead() {
        isRead = true;
        count++;
    }

    /** Reads from here on, and returns true; or waits from here on, since another reads. */
    boolean leadOrWait(final Waiter waiter) {
        if (isRead) {
            waiting.add(waiter);
            return false;
        }
        lead();
        return true;
    }

    /** The calling thread reads no more: whoever waits the longest does. Called without the lock. */
    void end() {
        synchronized (lock) {
            isRead = false;
            passOn();
        }
    }

    /** Whoever leaves, and may have been woken to read, wakes another. */
    void passOn() {
        if (!isRead && waiting.first() != null) {
            LockSupport.unpark(waiting.first().thread());
        }
    }

    /** There is something for it. */
    void wake(final Waiter waiter) {
        final Thread thread = waiter.thread();
        if (waiting.remove(waiter)) {
            LockSupport.unpark(thread);
        }
    }

    /** Stands still until it is woken, or nobody reads. Called without the lock. */
    void park(final Waiter waiter, final long deadlineNs) throws SocketTimeoutException {
        boolean isInterrupted = false;
        try {
            while (true) {
                final long waitNs = deadlineNs - System.nanoTime();
                synchronized (lock) {
                    if (!isRead) {
                        waiting.remove(waiter);
                    }
                    if (waiter.thread() == null) {
                        return;
                    }
                    if (waitNs <= 0) {
                        waiting.remove(waiter);
                        passOn();
                        throw timedOut();
                    }
                }
                LockSupport.parkNanos(this, waitNs);
                isInterrupted |= Thread.interrupted();
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static SocketTimeoutException timedOut() {
        return new SocketTimeoutException("chunk: nothing came in time (the other side is slow, or allow more time)");
    }
}
