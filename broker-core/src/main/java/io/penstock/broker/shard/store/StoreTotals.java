package io.penstock.broker.shard.store;

import java.util.concurrent.atomic.AtomicLong;

/** How many keys a store has, and how long they and their messages are. The writer counts; any thread may ask. */
final class StoreTotals {
    private final AtomicLong liveCount = new AtomicLong();
    private final AtomicLong keyLength = new AtomicLong();
    private final AtomicLong messageLength = new AtomicLong();

    /** Adds keys and bytes, or takes them away when they are below 0. */
    void add(final int keys, final long keyBytes, final long messageBytes) {
        liveCount.setRelease(liveCount.getPlain() + keys);
        keyLength.setRelease(keyLength.getPlain() + keyBytes);
        messageLength.setRelease(messageLength.getPlain() + messageBytes);
    }

    long liveCount() {
        return liveCount.getAcquire();
    }

    long keyLength() {
        return keyLength.getAcquire();
    }

    long messageLength() {
        return messageLength.getAcquire();
    }
}
