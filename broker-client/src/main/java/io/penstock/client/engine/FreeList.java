package io.penstock.client.engine;

import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/** The unused ones of a bounded number of elements. Any thread takes and gives back; nothing is lost. */
final class FreeList<E> {
    private static final long PARK_NS = 1_000;

    private final ManyToManyConcurrentArrayQueue<E> queue;

    /**
     * Has nothing yet.
     *
     * @param countMax the most elements that there are.
     */
    FreeList(final int countMax) {
        // With as many places again it is rare that one is given back to a place that another thread is about to leave.
        queue = new ManyToManyConcurrentArrayQueue<>(2 * Math.max(1, countMax));
    }

    /** Returns null when all are in use, or the next one is about to be given back. */
    @Nullable
    E take() {
        return queue.poll();
    }

    /** How many there are, as far as is known. */
    int count() {
        return queue.size();
    }

    /** Never refuses: the queue does while a thread that has taken from the next place was interrupted before it had left it. */
    void give(final E element) {
        while (!queue.offer(element)) {
            LockSupport.parkNanos(PARK_NS);
        }
    }
}
