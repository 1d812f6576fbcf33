package io.penstock.client.engine;

import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * The end of a client that a program has asked for: accepted commands are sent, and then a last flush, whose answer the
 * client awaits for a bounded time. Owned by the agent.
 */
final class Closing {
    private final NanoClock clock;
    private final long timeoutNs;
    private @Nullable Request<?> flush;
    private boolean isBegun;
    private long deadlineNs;

    Closing(final NanoClock clock, final long timeoutNs) {
        this.clock = clock;
        this.timeoutNs = timeoutNs;
    }

    void begin() {
        if (!isBegun) {
            isBegun = true;
            deadlineNs = clock.nanoTime() + timeoutNs;
        }
    }

    boolean isBegun() {
        return isBegun;
    }

    /** From now on until it is overdue. */
    long delayNs() {
        return deadlineNs - clock.nanoTime();
    }

    boolean isOverdue() {
        return delayNs() <= 0;
    }

    /** Whether the last flush is sent. */
    boolean isFlushSent() {
        return flush != null;
    }

    /** Whether the last flush is answered. */
    boolean isFlushed() {
        return flush != null && flush.isDone();
    }

    /** The last flush is sent; returns what waits for its answer. */
    PendingCommand onFlushSent() {
        final Request<?> request = new Request.Done();
        flush = request;
        return new PendingCommand(PendingCommand.NO_INDEX).request(request);
    }
}
