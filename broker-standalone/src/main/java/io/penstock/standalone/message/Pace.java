package io.penstock.standalone.message;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits so that events come at an even rate. */
final class Pace {
    private final double intervalNs;
    private final long startNs;
    private long count;

    /**
     * Starts now.
     *
     * @param eventsPerSecond 0 = as fast as possible.
     */
    Pace(final double eventsPerSecond) {
        intervalNs = eventsPerSecond > 0 ? TimeUnit.SECONDS.toNanos(1) / eventsPerSecond : 0;
        startNs = System.nanoTime();
    }

    /** Waits until the next event is due. */
    void await() {
        if (intervalNs > 0) {
            final long dueNs = startNs + (long) (count++ * intervalNs);
            long nowNs = System.nanoTime();
            while (dueNs - nowNs > 0 && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(dueNs - nowNs);
                nowNs = System.nanoTime();
            }
        }
    }
}
