package io.penstock.spring.listener;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Messages that wait for one thread of a listener. Bounded by the credit of the subscription that they come from. One
 * thread takes; any may do the rest, and holds the lock for no longer than it takes to move a reference.
 */
final class LaneQueue {
    /** What a taker gets after the last message. */
    static final int ENDED = -1;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Delivery> waiting = new ArrayDeque<>();
    private volatile boolean isPaused;
    private boolean isEnding;
    private boolean isTakerWaiting;
    private boolean isTakerBusy;

    void add(final Delivery delivery) {
        lock.lock();
        try {
            waiting.add(delivery);
            if (isTakerWaiting) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes some, and waits for the first; returns how many, 0 when none came in time, or {@link #ENDED}. */
    int take(final List<Delivery> taken, final int max, final long timeoutNs) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            isTakerBusy = false;
            changed.signalAll();
            if (!await(timeoutNs)) {
                return 0;
            }
            if (waiting.isEmpty() || isPaused) {
                return ENDED;
            }
            while (taken.size() < max && !waiting.isEmpty()) {
                taken.add(waiting.remove());
            }
            isTakerBusy = true;
            return taken.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns false when there was nothing to take in time. */
    private boolean await(final long timeoutNs) throws InterruptedException {
        long leftNs = timeoutNs;
        isTakerWaiting = true;
        while ((waiting.isEmpty() || isPaused) && !isEnding) {
            if (leftNs <= 0) {
                isTakerWaiting = false;
                return false;
            }
            leftNs = changed.awaitNanos(leftNs);
        }
        isTakerWaiting = false;
        return true;
    }

    /** Waits while it is paused; returns false when it ends meanwhile. */
    boolean awaitResumed() throws InterruptedException {
        if (!isPaused) {
            return true;
        }
        lock.lockInterruptibly();
        try {
            isTakerWaiting = true;
            while (isPaused && !isEnding) {
                changed.await();
            }
            isTakerWaiting = false;
            return !isPaused;
        } finally {
            lock.unlock();
        }
    }

    /** Hands out nothing until it is resumed, or again. */
    void pause(final boolean isToPause) {
        lock.lock();
        try {
            isPaused = isToPause;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Hands out what is there, unless it is paused, and then ends. */
    void end() {
        lock.lock();
        try {
            isEnding = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Drops what waits; returns how many. */
    int clear() {
        lock.lock();
        try {
            final int count = waiting.size();
            waiting.clear();
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until its thread has done all, or the queue ends. */
    void awaitIdle() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while ((isTakerBusy || !waiting.isEmpty()) && !isEnding) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }
}
