package io.penstock.standalone.message;

import io.penstock.standalone.input.Rate;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waits so that messages come at a multiple of the pace at which they came first, or at an even rate. */
final class ReplayPace {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long WAIT_MAX_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final @Nullable Rate rate;
    private final long startNs = System.nanoTime();
    private long firstNs;
    private boolean isStarted;
    private double done;

    /**
     * Starts now.
     *
     * @param rate null for as fast as possible.
     */
    ReplayPace(final @Nullable Rate rate) {
        this.rate = rate;
    }

    /** Whether the times of the messages count. */
    static boolean isTimed(final @Nullable Rate rate) {
        return rate != null && rate.kind() == Rate.Kind.SPEED;
    }

    /**
     * Waits until a message is due.
     *
     * @param timestampNs when it came first.
     * @param length      of it, in bytes.
     * @return false when it is not due yet, after a moment.
     */
    boolean await(final long timestampNs, final int length) {
        if (rate == null) {
            return true;
        }
        if (!isStarted) {
            isStarted = true;
            firstNs = timestampNs;
        }
        final double offsetNs =
                isTimed(rate) ? (timestampNs - firstNs) / rate.amount() : done / rate.amount() * NANOS_PER_SECOND;
        final long dueNs = startNs + (long) offsetNs;
        final long leftNs = dueNs - System.nanoTime();
        if (leftNs > 0) {
            LockSupport.parkNanos(Math.min(leftNs, WAIT_MAX_NS));
            if (dueNs - System.nanoTime() > 0) {
                return false;
            }
        }
        done += rate.kind() == Rate.Kind.BYTES ? length : 1;
        return true;
    }
}
