package io.penstock.bench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * When each message was meant to be sent: at an even pace when there is a rate, whatever the publisher managed; else
 * when it was sent, kept for as many messages as may be under way.
 */
final class SendClock {
    private static final long SAMPLE_MASK = 15;

    private final double intervalNs;
    private long startNs;
    private final AtomicLongArray sentNs;
    private final int mask;

    SendClock(final double rate, final int aheadLimit) {
        intervalNs = rate > 0 ? TimeUnit.SECONDS.toNanos(1) / rate : 0;
        final int length = Integer.highestOneBit(Math.max(1, aheadLimit)) * 4;
        sentNs = new AtomicLongArray(length);
        mask = length - 1;
    }

    /** Begins the pace; before the threads that use it are started. */
    void start(final long nowNs) {
        startNs = nowNs;
    }

    boolean isPaced() {
        return intervalNs > 0;
    }

    /** When a message is due; at a rate only. */
    long dueNs(final long number) {
        return startNs + (long) (number * intervalNs);
    }

    /** Whether the time of a message counts: at a rate that of each, else one of some, as asking costs as much as sending. */
    boolean isTimed(final long number) {
        return intervalNs > 0 || (number & SAMPLE_MASK) == 0;
    }

    /** Notes that a message is sent now; without a rate only. */
    void sent(final long number, final long nowNs) {
        sentNs.setRelease((int) number & mask, nowNs);
    }

    /** When a message that is under way was meant to be sent. */
    long intendedNs(final long number) {
        return intervalNs > 0 ? dueNs(number) : sentNs.getAcquire((int) number & mask);
    }
}
