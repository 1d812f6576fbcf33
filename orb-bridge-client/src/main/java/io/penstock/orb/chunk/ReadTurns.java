package io.penstock.orb.chunk;

import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Whose turn it is to read a connection. Those that wait are woken when there is something for them, and the longest one when
 * nobody reads. Guarded by the connection's lock, but {@link #park} and {@link #end}.
 */
final class ReadTurns {
    private final Object lock;
    private final Waiter.Line waiting = new Waiter.Line();
    // Threads that the reading thread wakes together, when it holds no lock that they need.
    private final List<Thread> noted = new ArrayList<>();
    private boolean isRead;
    private long count;
    // A thread that reads when many wait; null when there is none.
    private Thread reader;
    private boolean isReaderSought;

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

    /** The calling thread reads from here on if nobody does and many wait; it is woken when that is so. */
    boolean leadForMany() {
        reader = Thread.currentThread();
        if (isRead || !areMany()) {
            // It may have been woken for one that waits alone now.
            passOn();
            return false;
        }
        lead();
        return true;
    }

    /** Whether more than one waits. */
    boolean areMany() {
        return waiting.count() > 1;
    }

    /** The connection has ended. */
    void wakeReader() {
        if (reader != null) {
            LockSupport.unpark(reader);
        }
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

    /** The calling thread stops reading, and the thread that has waited longest begins. Called without the lock. */
    void end() {
        synchronized (lock) {
            isRead = false;
            passOn();
        }
    }

    /** A thread that leaves may have been woken to read, so it wakes another. */
    void passOn() {
        if (!isRead && waiting.first() != null) {
            LockSupport.unpark(
                    reader != null && areMany() ? reader : waiting.first().thread());
        }
    }

    /** Whether many wait for the first time: a thread that reads for them is to be made. */
    boolean isReaderWanted() {
        final boolean isWanted = !isReaderSought && areMany();
        isReaderSought |= isWanted;
        return isWanted;
    }

    /** There is something for it. */
    void wake(final Waiter waiter) {
        final Thread thread = waiter.thread();
        if (waiting.remove(waiter)) {
            LockSupport.unpark(thread);
        }
    }

    /** There is something for it; it is woken by {@link #wakeNoted}. Called by the thread that reads. */
    void note(final Waiter waiter) {
        final Thread thread = waiter.thread();
        if (waiting.remove(waiter)) {
            noted.add(thread);
        }
    }

    /** Wakes the noted threads; returns whether there were any. Called by the thread that reads, without the lock. */
    boolean wakeNoted() {
        final boolean isAny = !noted.isEmpty();
        for (int i = 0; i < noted.size(); i++) {
            LockSupport.unpark(noted.get(i));
        }
        noted.clear();
        return isAny;
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
