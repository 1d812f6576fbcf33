package io.penstock.broker.concurrent;

import java.util.concurrent.TimeUnit;

/** How long agents sleep before they look again. */
public final class Waits {
    /** Of agents that poll for room in a ring, in nanoseconds: nothing wakes them when it comes. */
    public static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Of agents without work, in nanoseconds. */
    public static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Of agents that have still to note in a file how far it was synced, in nanoseconds. */
    public static final long MARK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private Waits() {}
}
