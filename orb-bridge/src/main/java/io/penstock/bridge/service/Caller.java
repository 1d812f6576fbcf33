package io.penstock.bridge.service;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.client.PenstockException;
import io.penstock.orb.BrokerException;
import io.penstock.orb.DeliveryWithHeaders;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls one client, one call at a time, on threads of the pool. A call that fails, or takes too long, ends the
 * subscription; nobody else waits for it.
 */
final class Caller implements Runnable {
    private static final System.Logger LOG = System.getLogger(Caller.class.getName());

    private static final int IDLE = 0;
    private static final int CALLING = 1;
    private static final int WRITTEN_OFF = 2;

    private final Subscriber subscriber;
    private final Listener listener;
    private final CallbackPool pool;
    private final BridgeConfig config;
    private final BridgeCounters counters;
    private final AtomicBoolean isBusy = new AtomicBoolean();
    // The thread that takes it out of CALLING decides whether the calling thread still belongs to the pool.
    private final AtomicInteger state = new AtomicInteger(IDLE);
    private volatile long calledNs;
    private volatile boolean isAsking;
    private volatile boolean isDone;

    Caller(final Subscriber subscriber, final Listener listener, final BridgeService service) {
        this.subscriber = subscriber;
        this.listener = listener;
        pool = service.callbacks();
        config = service.config();
        counters = service.counters();
    }

    /** Calls the client as soon as there is a thread, unless it is being called. */
    void schedule() {
        if (!isDone && isBusy.compareAndSet(false, true) && !pool.execute(this)) {
            isDone = true;
        }
    }

    @Override
    public void run() {
        calledNs = System.nanoTime();
        state.set(CALLING);
        pool.begun(this);
        subscriber.lease().enter();
        try {
            call();
        } catch (final Throwable e) {
            fail(e);
        } finally {
            subscriber.lease().exit();
            pool.ended(this);
            if (!state.compareAndSet(CALLING, IDLE)) {
                isDone = true;
                pool.takeBack();
            }
            // Whatever was thrown: nobody would end the subscription for good otherwise.
            isBusy.set(false);
        }
        if (!isDone && (subscriber.hasMore() || subscriber.reason() != null)) {
            schedule();
        }
    }

    private void call() throws Exception {
        final List<DeliveryWithHeaders> taken = subscriber.take(config.batchCountMax(), 0);
        if (!taken.isEmpty() || isAsking) {
            isAsking = false;
            listener.onMessages(subscriber.id(), taken.toArray(Deliveries.NONE));
            counters.add(BridgeCounter.CALLBACKS, 1);
            subscriber.processed(taken);
            return;
        }
        final BrokerException reason = subscriber.reason();
        if (reason != null) {
            isDone = true;
            listener.onEnd(subscriber.id(), reason);
        }
    }

    private void fail(final Throwable cause) {
        isDone = true;
        if (state.get() != WRITTEN_OFF) {
            counters.add(BridgeCounter.CALLBACKS_FAILED, 1);
            LOG.log(System.Logger.Level.DEBUG, "a subscriber could not be called; its subscription ends", cause);
        }
        try {
            subscriber.close();
        } catch (final PenstockException e) {
            LOG.log(System.Logger.Level.DEBUG, "the broker was not notified of a subscription's end", e);
        }
    }

    /** Called in turn: gives up a client that does not return. */
    void writeOffWhenStuck(final long nowNs) {
        if (nowNs - calledNs > TimeUnit.MILLISECONDS.toNanos(config.callbackTimeoutMs())
                && state.compareAndSet(CALLING, WRITTEN_OFF)) {
            isDone = true;
            pool.writeOff();
            listener.abort();
            counters.add(BridgeCounter.CALLBACKS_TIMED_OUT, 1);
        }
    }

    /** The call under way may end; there are no more. */
    void close() {
        listener.close();
    }

    /** Ends the call under way. */
    void abort() {
        listener.abort();
    }

    /** Called in turn: asks a silent client whether it is there. */
    boolean isOver(final long nowNs) {
        listener.closeIdle(nowNs);
        if (state.get() == WRITTEN_OFF) {
            return true;
        }
        if (!isDone && !isBusy.get() && subscriber.lease().isHalfOver(nowNs)) {
            isAsking = true;
            schedule();
        }
        return isDone && !isBusy.get();
    }
}
