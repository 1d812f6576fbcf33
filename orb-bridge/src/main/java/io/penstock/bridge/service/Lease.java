package io.penstock.bridge.service;

import java.util.concurrent.atomic.AtomicInteger;

/** How long something stays without a call of its client. A call that waits holds it. Safe on any thread. */
final class Lease {
    private final long lengthNs;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile long lastNs = System.nanoTime();

    Lease(final int lengthMs) {
        lengthNs = lengthMs * 1_000_000L;
    }

    void enter() {
        calls.incrementAndGet();
    }

    void exit() {
        lastNs = System.nanoTime();
        calls.decrementAndGet();
    }

    boolean isExpired(final long nowNs) {
        return calls.get() == 0 && nowNs - lastNs > lengthNs;
    }

    /** Whether it is time to ask a client that is called whether it is there. */
    boolean isHalfOver(final long nowNs) {
        return calls.get() == 0 && nowNs - lastNs > lengthNs / 2;
    }
}
