package io.penstock.spring.listener;

import java.util.function.LongSupplier;

/**
 * Measures how long no message has come to a container. The client's thread tells of messages, and one thread of the
 * container asks.
 */
final class IdleWatch {
    private final LongSupplier nanoClock;
    private final long intervalNs;
    private volatile long lastNs;

    /** Of the last event; of the thread that asks. */
    private long eventNs;

    /** With an interval of 0 it is never idle. */
    IdleWatch(final LongSupplier nanoClock, final long intervalNs) {
        this.nanoClock = nanoClock;
        this.intervalNs = intervalNs;
        onStart();
    }

    void onStart() {
        final long nowNs = nanoClock.getAsLong();
        lastNs = nowNs;
        eventNs = nowNs;
    }

    void onMessage() {
        if (intervalNs > 0) {
            lastNs = nanoClock.getAsLong();
        }
    }

    /** From now on until it may be idle. */
    long leftNs() {
        if (intervalNs <= 0) {
            return Long.MAX_VALUE;
        }
        final long nowNs = nanoClock.getAsLong();
        return Math.max(intervalNs - (nowNs - lastNs), intervalNs - (nowNs - eventNs));
    }

    /** How long no message has come, if that is to be said now; else 0. */
    long takeIdleNs() {
        if (leftNs() > 0) {
            return 0;
        }
        final long nowNs = nanoClock.getAsLong();
        eventNs = nowNs;
        return nowNs - lastNs;
    }
}
