package io.penstock.spring.listener;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Messages that wait for one thread of a listener. Bounded by the credit of the subscription that they come from. One
 * thread takes; any may do the rest, and holds the lock for no longer than it takes to move a reference.
 *
 * <p>The thread that takes may be interrupted by a listener, or by what that calls. So an interrupt wakes nobody here, and
 * is cleared; only {@link #abandon()} ends a wait before its time.
 */
final class LaneQueue {
    /** What a taker gets after the last message. */
    static final int ENDED = -1;

    /** What a taker does with a message that it has taken. */
    enum Turn {
        /** It processes it. */
        PROCESS,
        /** It drops it, with the rest of its run, and takes again: they come again. */
        DROP,
        /** It ends. */
        END
    }

    private static final Log LOG = LogFactory.getLog(PenstockListenerContainer.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Delivery> waiting = new ArrayDeque<>();
    private volatile boolean isPaused;
    private volatile boolean isAbandoned;
    private boolean isEnding;
    private boolean isTakerWaiting;
    private boolean isTakerBusy;

    /** The taker holds a run that it does not process, as it is paused. */
    private boolean isRunHeld;

    private boolean isRunDropped;

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
    int take(final List<Delivery> taken, final int max, final long timeoutNs) {
        lock.lock();
        try {
            isTakerBusy = false;
            changed.signalAll();
            if (!await(timeoutNs)) {
                return 0;
            }
            if (waiting.isEmpty() || isPaused || isAbandoned) {
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
    private boolean await(final long timeoutNs) {
        final long startNs = System.nanoTime();
        isTakerWaiting = true;
        while ((waiting.isEmpty() || isPaused) && !isEnding) {
            final long leftNs = timeoutNs - (System.nanoTime() - startNs);
            if (leftNs <= 0) {
                isTakerWaiting = false;
                return false;
            }
            awaitChange(leftNs);
        }
        isTakerWaiting = false;
        return true;
    }

    /** Waits for a change, or returns before it; callers look in a loop for what they wait for. */
    @SuppressWarnings({"WaitNotInLoop", "ReturnValueIgnored"}) // Callers loop, and measure the time.
    private void awaitChange(final long timeoutNs) {
        try {
            changed.awaitNanos(timeoutNs);
        } catch (final InterruptedException e) {
            // It is cleared, and nobody here ends for it.
            LOG.debug("a thread of a container was interrupted, and goes on");
        }
    }

    /** Whether the taker may process what it has taken: waits while it is paused, after it has done something. */
    Turn awaitTurn(final Runnable beforeWaiting) {
        if (!isPaused && !isAbandoned) {
            return Turn.PROCESS;
        }
        beforeWaiting.run();
        lock.lock();
        try {
            isRunHeld = true;
            changed.signalAll();
            while (isPaused && !isEnding && !isRunDropped) {
                awaitChange(Long.MAX_VALUE);
            }
            isRunHeld = false;
            if (isRunDropped) {
                isRunDropped = false;
                return Turn.DROP;
            }
            return isPaused || isAbandoned ? Turn.END : Turn.PROCESS;
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

    /** Ends at once, and wakes its taker; returns what is dropped. */
    List<Delivery> abandon() {
        lock.lock();
        try {
            isAbandoned = true;
            isEnding = true;
            changed.signalAll();
            return clear();
        } finally {
            lock.unlock();
        }
    }

    boolean isAbandoned() {
        return isAbandoned;
    }

    /** Waits for a time; returns false when it was abandoned before that. */
    boolean delay(final long delayNs) {
        final long startNs = System.nanoTime();
        lock.lock();
        try {
            long leftNs = delayNs;
            while (leftNs > 0 && !isAbandoned) {
                awaitChange(leftNs);
                leftNs = delayNs - (System.nanoTime() - startNs);
            }
            return !isAbandoned;
        } finally {
            lock.unlock();
        }
    }

    /** Drops what waits; returns it. */
    List<Delivery> clear() {
        lock.lock();
        try {
            final List<Delivery> dropped = new ArrayList<>(waiting);
            waiting.clear();
            return dropped;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until its thread has done all. When it is paused, it drops what the listener was not called with; returns
     * that.
     */
    List<Delivery> settle() {
        lock.lock();
        try {
            while (!isEnding && (isTakerBusy || !waiting.isEmpty())) {
                if (isPaused && (!isTakerBusy || isRunHeld)) {
                    isRunDropped = isTakerBusy;
                    changed.signalAll();
                    return clear();
                }
                awaitChange(Long.MAX_VALUE);
            }
            return List.of();
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
