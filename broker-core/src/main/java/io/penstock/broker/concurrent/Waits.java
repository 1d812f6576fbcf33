package io.penstock.broker.concurrent;

import java.util.concurrent.TimeUnit;

/** How long agents sleep before they look again. */
public final class Waits {
    /** Wait of agents that poll for room in a ring, in nanoseconds: nothing wakes them when there is room. */
    public static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Wait of agents without work, in nanoseconds. */
    public static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Wait of agents that still have to note in a file how far it was synced, in nanoseconds. */
    public static final long MARK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private Waits() {}
}
