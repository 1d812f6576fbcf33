package io.penstock.broker.query.collect;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A score of which all workers of a query know: so many rows as are wanted, found by one of them, have that score or a greater one. So
 * rows with a lower one are not among the first, whoever finds them. Safe on any thread, and nobody waits.
 */
public final class CommonBound {
    private final AtomicLong bits = new AtomicLong(Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY));

    /** Nothing is known. */
    public CommonBound() {}

    double score() {
        return Double.longBitsToDouble(bits.getAcquire());
    }

    /** A worker has found as many rows as are wanted, with scores not below one. */
    void raise(final double score) {
        long before = bits.getAcquire();
        while (score > Double.longBitsToDouble(before)) {
            final long found = bits.compareAndExchange(before, Double.doubleToRawLongBits(score));
            if (found == before) {
                return;
            }
            before = found;
        }
    }
}
