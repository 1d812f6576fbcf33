package io.penstock.bench;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How far the publisher and each subscriber are. Every position is written by one thread and read by all, each on cache
 * lines of its own.
 */
final class Progress {
    private static final int STRIDE = 16;
    private static final int PUBLISHED = 0;

    private final int subscriberCount;
    private final AtomicLongArray positions;
    private final AtomicLongArray deliveries;

    Progress(final int subscriberCount) {
        this.subscriberCount = subscriberCount;
        positions = new AtomicLongArray((subscriberCount + 2) * STRIDE);
        deliveries = new AtomicLongArray((subscriberCount + 2) * STRIDE);
    }

    void published(final long count) {
        positions.setRelease(PUBLISHED, count);
    }

    long published() {
        return positions.getAcquire(PUBLISHED);
    }

    /**
     * A subscriber has got a message.
     *
     * @param subscriber    from 0.
     * @param position      messages that it will not get any more, or need not get.
     * @param deliveryCount messages it got so far.
     */
    void delivered(final int subscriber, final long position, final long deliveryCount) {
        positions.setRelease((subscriber + 1) * STRIDE, position);
        deliveries.setRelease((subscriber + 1) * STRIDE, deliveryCount);
    }

    long slowest() {
        long slowest = Long.MAX_VALUE;
        for (int i = 1; i <= subscriberCount; i++) {
            slowest = Math.min(slowest, positions.getAcquire(i * STRIDE));
        }
        return slowest;
    }

    long deliveries() {
        long sum = 0;
        for (int i = 1; i <= subscriberCount; i++) {
            sum += deliveries.getAcquire(i * STRIDE);
        }
        return sum;
    }
}
