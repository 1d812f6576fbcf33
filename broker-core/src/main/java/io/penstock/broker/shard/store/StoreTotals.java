package io.penstock.broker.shard.store;

import java.util.concurrent.atomic.AtomicLong;

/** How many keys a store has, and how long they and their messages are. The writer counts; any thread may ask. */
final class StoreTotals {
    private final LiveLength all;

    /** Whether its records count among all. */
    private boolean isLive = true;

    private final AtomicLong liveCount = new AtomicLong();
    private final AtomicLong keyLength = new AtomicLong();
    private final AtomicLong messageLength = new AtomicLong();

    /** @param all to which its records count. */
    StoreTotals(final LiveLength all) {
        this.all = all;
    }

    /** Adds keys and bytes, or takes them away when they are below 0. */
    void add(final int keys, final long keyBytes, final long messageBytes) {
        liveCount.setRelease(liveCount.getPlain() + keys);
        keyLength.setRelease(keyLength.getPlain() + keyBytes);
        messageLength.setRelease(messageLength.getPlain() + messageBytes);
        if (isLive) {
            all.add((long) keys * LiveLength.RECORD_LENGTH + keyBytes + messageBytes);
        }
    }

    /** Its records count no more. */
    void end() {
        if (isLive) {
            isLive = false;
            all.add(-liveCount() * LiveLength.RECORD_LENGTH - keyLength() - messageLength());
        }
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
