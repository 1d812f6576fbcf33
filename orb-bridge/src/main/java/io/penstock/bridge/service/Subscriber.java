package io.penstock.bridge.service;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.client.Bookmark;
import io.penstock.client.MessageHandler;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockException;
import io.penstock.client.Subscription;
import io.penstock.orb.BrokerException;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.protocol.ErrorCode;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A subscription of a client, with what waits for it. Filled on the thread of the broker's client, which never waits here.
 * Safe on any thread.
 */
final class Subscriber implements MessageHandler {
    private final long id;
    private final String name;
    private final BridgeConfig config;
    private final BridgeCounters counters;
    private final SubscriptionNames names;
    private final Lease lease;
    private final MessageQueue queue;
    private final Refill refill;
    private final @Nullable Caller caller;
    private volatile @Nullable Subscription subscription;
    private final AtomicBoolean isEndBegun = new AtomicBoolean();
    private volatile boolean isEnded;

    Subscriber(
            final long id,
            final String name,
            final int leaseMs,
            final @Nullable Listener listener,
            final BridgeService service) {
        this.id = id;
        this.name = name;
        config = service.config();
        counters = service.counters();
        names = service.names();
        lease = new Lease(leaseMs);
        queue = new MessageQueue(config.queueCountMax(), config.queueLengthMax(), service.held());
        refill = new Refill(config);
        caller = listener == null ? null : new Caller(this, listener, service);
    }

    long id() {
        return id;
    }

    /** Under which it is noted how far it has come; empty = it has none. */
    String name() {
        return name;
    }

    /** The first grant of credit to the broker, in bytes. */
    long credit() {
        return refill.window();
    }

    /** The broker has accepted it, on credit or not; it may have ended meanwhile. */
    void accepted(final Subscription newSubscription, final boolean isOnCredit) {
        subscription = newSubscription;
        if (isOnCredit) {
            refill.subscription(newSubscription);
        }
        if (isEnded) {
            newSubscription.close();
        }
    }

    @Override
    public void onMessage(final MessageView message) {
        if (!queue.offer(Deliveries.of(message), message.creditLength())) {
            if (!queue.isDone()
                    && end(Refusals.of(
                            ErrorCode.FELL_BEHIND,
                            "subscription: more waits for its client than " + config.queueCountMax() + " messages or "
                                    + config.queueLengthMax()
                                    + " bytes, or for all of them than may (take messages faster; subscribe again"
                                    + " after the last bookmark)"))) {
                counters.add(BridgeCounter.FELL_BEHIND, 1);
            }
            return;
        }
        if (caller != null) {
            caller.schedule();
        }
    }

    @Override
    public void onEnd(final Subscription ended, final PenstockException reason) {
        end(Refusals.of(reason));
    }

    /** Takes messages for a client that is not called. */
    DeliveryWithHeaders[] next(final int max, final int timeoutMs) throws BrokerException {
        if (caller != null) {
            throw Refusals.of(
                    ErrorCode.NOT_SUPPORTED, "next: the subscription has a callback (subscribe without one to take)");
        }
        lease.enter();
        try {
            final List<DeliveryWithHeaders> taken = take(
                    Math.min(max, config.batchCountMax()),
                    TimeUnit.MILLISECONDS.toNanos(Math.min(timeoutMs, config.waitMsMax())));
            if (taken.isEmpty() && queue.isDone()) {
                final BrokerException reason = queue.reason();
                throw reason == null
                        ? Refusals.of(ErrorCode.UNKNOWN_SUBSCRIPTION, "next: the subscription was ended")
                        : reason;
            }
            return taken.toArray(Deliveries.NONE);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Refusals.of(ErrorCode.SHUTTING_DOWN, "next: the bridge is closing (connect again later)");
        } finally {
            lease.exit();
        }
    }

    /** Notifies when there is something to take, or it has ended. */
    Wait await(final Runnable ready) {
        return Wait.begin(queue, lease, ready);
    }

    List<DeliveryWithHeaders> take(final int max, final long timeoutNs) throws InterruptedException {
        final MessageQueue.Taken taken = queue.take(max, config.batchLengthMax(), timeoutNs);
        refill.onTaken(taken.creditLength());
        counters.add(BridgeCounter.DELIVERED, taken.deliveries().size());
        return taken.deliveries();
    }

    boolean hasMore() {
        return !queue.isEmpty();
    }

    void acknowledge(final String bookmark) throws BrokerException {
        if (name.isEmpty()) {
            throw Refusals.of(
                    ErrorCode.NOT_SUPPORTED,
                    "acknowledge: the subscription has no name (subscribe with one, and it goes on where it was)");
        }
        lease.enter();
        try {
            names.note(name, Bookmark.parse(bookmark));
        } catch (final PenstockException e) {
            throw Refusals.of(e);
        } finally {
            lease.exit();
        }
    }

    /** A callback has returned: its messages are processed. */
    void processed(final List<DeliveryWithHeaders> deliveries) {
        if (!name.isEmpty()) {
            names.note(name, deliveries);
        }
    }

    /** Ends it here and at the broker. Its client gets the reason, if there is one. Returns false when it had ended. */
    boolean end(final @Nullable BrokerException reason) {
        if (!queue.end(reason)) {
            return false;
        }
        isEnded = true;
        final Subscription known = subscription;
        if (known != null) {
            known.close();
        }
        if (reason != null && caller != null) {
            caller.schedule();
        }
        return true;
    }

    /**
     * Ends it, and drops what waits.
     *
     * @throws PenstockException when the broker could not be notified; it has ended here all the same.
     */
    void close() {
        try {
            end(null);
        } finally {
            queue.clear();
            if (caller != null) {
                caller.close();
            }
        }
    }

    /** Ends it here, without telling the broker, whose connection is about to be closed. */
    void drop() {
        isEnded = true;
        queue.clear();
    }

    /** Why it has ended; null while it has not, and when nobody has to be notified. */
    @Nullable
    BrokerException reason() {
        return queue.reason();
    }

    /** Whether its client is called, and does not take. */
    boolean isCalled() {
        return caller != null;
    }

    Lease lease() {
        return lease;
    }

    /** Returns true once, to the first that ends it. */
    boolean isFirstToEnd() {
        return isEndBegun.compareAndSet(false, true);
    }

    /** Whether it can be forgotten: nothing is heard of its client, or it was notified of the end. */
    boolean isOver(final long nowNs) {
        return caller == null ? lease.isExpired(nowNs) : caller.isOver(nowNs);
    }
}
