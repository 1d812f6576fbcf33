package io.penstock.bridge.service;

import io.penstock.orb.BrokerException;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait for one client, bounded by count, by length, and by the length that all queues hold together. A
 * message counts with its topic, its key and its headers, and with a constant for its other memory. Filled by the
 * broker's client, which is never made to wait; emptied by any thread.
 */
final class MessageQueue {
    /** Memory of a message beside its payload, topic and key, in bytes. */
    static final int MESSAGE_OVERHEAD = 128;

    private static final int CHARACTER_LENGTH = 2;

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final HeldLength held;
    private final int countMax;
    private final long lengthMax;
    private long length;
    private final Set<Wait> waits = new LinkedHashSet<>();
    private boolean isEnded;
    private @Nullable BrokerException reason;

    private record Waiting(DeliveryWithHeaders delivery, int creditLength) {}

    /**
     * Messages that were taken.
     *
     * @param deliveries   in their order.
     * @param creditLength that the broker may send again for them, in bytes.
     */
    record Taken(List<DeliveryWithHeaders> deliveries, long creditLength) {}

    MessageQueue(final int countMax, final long lengthMax, final HeldLength held) {
        this.countMax = countMax;
        this.lengthMax = lengthMax;
        this.held = held;
    }

    /** Returns false when there is no room, or the queue has ended. */
    boolean offer(final DeliveryWithHeaders delivery, final int creditLength) {
        final long added = heldLength(delivery);
        final List<Wait> ready;
        lock.lock();
        try {
            if (isEnded || waiting.size() >= countMax || (length + added > lengthMax && length > 0)) {
                return false;
            }
            if (!held.add(added)) {
                return false;
            }
            length += added;
            waiting.add(new Waiting(delivery, creditLength));
            changed.signal();
            ready = takeWaits();
        } finally {
            lock.unlock();
        }
        ready.forEach(Wait::onReady);
        return true;
    }

    /** Notifies a wait when there is something to take, or nothing more comes; at once, if that is so already. */
    void await(final Wait wait) {
        lock.lock();
        try {
            if (waiting.isEmpty() && !isEnded) {
                waits.add(wait);
                return;
            }
        } finally {
            lock.unlock();
        }
        wait.onReady();
    }

    void forget(final Wait wait) {
        lock.lock();
        try {
            waits.remove(wait);
        } finally {
            lock.unlock();
        }
    }

    /** Takes all waits: a wait that was given up meanwhile would take the turn of another. The caller has the lock. */
    private List<Wait> takeWaits() {
        if (waits.isEmpty()) {
            return List.of();
        }
        final List<Wait> taken = List.copyOf(waits);
        waits.clear();
        return taken;
    }

    /** Bytes for which a message counts while it waits. */
    private static long heldLength(final DeliveryWithHeaders message) {
        final Delivery delivery = message.message();
        return MESSAGE_OVERHEAD
                + (long) CHARACTER_LENGTH
                        * (delivery.topic().length() + delivery.key().length())
                + sentLength(message);
    }

    /** Bytes for which a message counts in an answer. */
    private static long sentLength(final DeliveryWithHeaders message) {
        return message.message().data().length + HeaderValues.length(message.headers());
    }

    /** Takes what there is, and waits for something. Empty when nothing came in time, and when it has ended. */
    Taken take(final int max, final long takenLengthMax, final long timeoutNs) throws InterruptedException {
        final List<DeliveryWithHeaders> taken = new ArrayList<>();
        long takenLength = 0;
        long freedLength = 0;
        long creditLength = 0;
        lock.lockInterruptibly();
        try {
            long leftNs = timeoutNs;
            while (waiting.isEmpty() && !isEnded && leftNs > 0) {
                leftNs = changed.awaitNanos(leftNs);
            }
            Waiting next = waiting.peek();
            while (next != null && taken.size() < max) {
                takenLength += sentLength(next.delivery);
                if (takenLength > takenLengthMax && !taken.isEmpty()) {
                    break;
                }
                freedLength += heldLength(next.delivery);
                creditLength += next.creditLength;
                taken.add(next.delivery);
                waiting.remove();
                next = waiting.peek();
            }
            length -= freedLength;
        } finally {
            lock.unlock();
        }
        held.remove(freedLength);
        return new Taken(taken, creditLength);
    }

    /** Nothing more comes; what waits can be taken still. Returns false when it had ended before. */
    boolean end(final @Nullable BrokerException why) {
        final List<Wait> ready;
        lock.lock();
        try {
            if (isEnded) {
                return false;
            }
            isEnded = true;
            reason = why;
            changed.signalAll();
            ready = takeWaits();
        } finally {
            lock.unlock();
        }
        ready.forEach(Wait::onReady);
        return true;
    }

    /** Ends it, and drops what waits. */
    void clear() {
        end(null);
        final long dropped;
        lock.lock();
        try {
            dropped = length;
            length = 0;
            waiting.clear();
        } finally {
            lock.unlock();
        }
        held.remove(dropped);
    }

    /** Whether nothing waits, and nothing more comes. */
    boolean isDone() {
        lock.lock();
        try {
            return isEnded && waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Why it has ended; null while it has not, and when there is no reason but its end. */
    @Nullable
    BrokerException reason() {
        lock.lock();
        try {
            return reason;
        } finally {
            lock.unlock();
        }
    }
}
