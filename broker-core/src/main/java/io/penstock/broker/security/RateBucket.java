package io.penstock.broker.security;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A bucket of tokens for one rate: full, it has those of one period. Whoever finds it not empty may take what it needs,
 * and what is more than there is has to come first. Safe on any thread; a take allocates nothing.
 */
final class RateBucket {
    /** So that times do not overflow: some 36 years. */
    private static final double OWED_NS_MAX = 0x1p60;

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

    /**
     * The rate is another one: the bucket stays as full as it is, and what it owes beyond that is owed at the new rate. It
     * is full when there was no rate, or is none from now on.
     *
     * @param before tokens in each period so far; 0 for no bound.
     * @param after  from now on.
     * @param nowNs  of the broker's clock.
     */
    void rateChanged(final long before, final long after, final long nowNs) {
        if (before == after) {
            return;
        }
        final boolean isBounded = before > 0 && after > 0;
        long known;
        long changed;
        do {
            known = fullNs.get();
            final long owedNs = known - nowNs - periodNs;
            if (!isBounded) {
                changed = nowNs;
            } else if (owedNs > 0) {
                changed = nowNs + periodNs + (long) Math.min((double) owedNs / after * before, OWED_NS_MAX);
            } else {
                return;
            }
        } while (!fullNs.compareAndSet(known, changed));
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
