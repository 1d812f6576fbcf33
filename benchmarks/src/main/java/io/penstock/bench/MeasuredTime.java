package io.penstock.bench;

import java.util.concurrent.atomic.AtomicLong;

/** The time that counts. Set once by the main thread, read by those that measure; nothing counts before. */
final class MeasuredTime {
    private final AtomicLong startNs = new AtomicLong();
    private final AtomicLong endNs = new AtomicLong();

    /** Messages meant to be sent from the one until before the other count. */
    void set(final long newStartNs, final long newEndNs) {
        startNs.set(newStartNs);
        endNs.set(newEndNs);
    }

    boolean contains(final long timeNs) {
        return timeNs - endNs.get() < 0 && timeNs - startNs.get() >= 0;
    }
}
