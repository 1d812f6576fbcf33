package io.penstock.standalone.message;

import io.penstock.standalone.input.Rate;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waits so that messages, or their bytes, come at an even rate. */
final class Pace {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final @Nullable Rate rate;
    private final long startNs;
    private double done;

    /**
     * Starts now.
     *
     * @param rate of messages or bytes; null = as fast as possible.
     */
    Pace(final @Nullable Rate rate) {
        this.rate = rate;
        startNs = System.nanoTime();
    }

    /**
     * Waits until the next message is due.
     *
     * @param length of it, in bytes.
     */
    void await(final int length) {
        if (rate == null) {
            return;
        }
        final long dueNs = startNs + (long) (done / rate.amount() * NANOS_PER_SECOND);
        done += rate.kind() == Rate.Kind.BYTES ? length : 1;
        long nowNs = System.nanoTime();
        while (dueNs - nowNs > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(dueNs - nowNs);
            nowNs = System.nanoTime();
        }
    }
}
