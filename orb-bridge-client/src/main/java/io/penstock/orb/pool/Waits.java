package io.penstock.orb.pool;

import java.util.concurrent.atomic.AtomicLong;

/** Measures how many of the last calls found the connection in use. Safe on any thread. */
final class Waits {
    private static final int SAMPLE_COUNT = 64;
    private static final int PERCENT_MIN = 10;
    private static final int WAITS_SHIFT = 32;

    // Calls in the lower half, waits in the upper one.
    private final AtomicLong sample = new AtomicLong();
    private volatile boolean areMany;

    void onSent(final boolean isWaiting) {
        final long seen = sample.addAndGet(isWaiting ? (1L << WAITS_SHIFT) + 1 : 1);
        final int count = (int) seen;
        if (count >= SAMPLE_COUNT && sample.compareAndSet(seen, 0)) {
            areMany = (seen >>> WAITS_SHIFT) * 100 >= (long) count * PERCENT_MIN;
        }
    }

    /** Whether another connection would help. */
    boolean areMany() {
        return areMany;
    }

    /** There is another connection: what was measured before says nothing of it. */
    void reset() {
        sample.set(0);
        areMany = false;
    }
}
