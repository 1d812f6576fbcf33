package io.penstock.bridge.service;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that all queues hold together, and their bound. Safe on any thread. */
final class HeldLength {
    private final AtomicLong held = new AtomicLong();
    private final long max;

    HeldLength(final long max) {
        this.max = max;
    }

    /** Returns false when there is no room. */
    boolean add(final long length) {
        if (held.addAndGet(length) > max) {
            held.addAndGet(-length);
            return false;
        }
        return true;
    }

    void remove(final long length) {
        held.addAndGet(-length);
    }

    long length() {
        return held.get();
    }
}
