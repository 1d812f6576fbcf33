package io.penstock.broker.security;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A bucket of tokens for one rate: full, it has those of one period. Whoever finds it not empty may take what it needs,
 * and what is more than there is has to come first. Safe on any thread; a take allocates nothing.
 */
final class RateBucket {
    private final long periodNs;

    /** When it will be full, if nothing is taken until then. */
    private final AtomicLong fullNs;

    /** A full one. */
    RateBucket(final long periodNs, final long nowNs) {
        this.periodNs = periodNs;
        fullNs = new AtomicLong(nowNs);
    }

    /** How long it will be empty, in nanoseconds; 0 when it is not. */
    long emptyForNs(final long nowNs) {
        return Math.max(0, fullNs.get() - nowNs - periodNs);
    }

    boolean isFull(final long nowNs) {
        return fullNs.get() - nowNs <= 0;
    }

    /** Takes some tokens, of so many in each period. */
    void take(final long count, final long perPeriod, final long nowNs) {
        final long costNs = (long) ((double) periodNs / perPeriod * count);
        long before;
        long after;
        do {
            before = fullNs.get();
            after = (before - nowNs > 0 ? before : nowNs) + costNs;
        } while (!fullNs.compareAndSet(before, after));
    }
}
