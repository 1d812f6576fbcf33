package io.penstock.client;

import io.penstock.client.engine.ActiveSubscription;
import io.penstock.client.engine.ClientEngine;
import io.penstock.protocol.RecordDescriptor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much is held of a subscription for other threads. Bounded by the credit that the subscription is made with, which
 * comes back when a message is released; where brokers know no credit, by refusing the agent. The agent holds; any thread
 * releases.
 */
final class HeldMessages {
    private final ClientEngine engine;
    private final int limit;
    private final long lengthMax;
    private final long creditStep;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong length = new AtomicLong();
    private final AtomicLong freedCredit = new AtomicLong();
    private final AtomicBoolean isAgentRefused = new AtomicBoolean();

    HeldMessages(final ClientConfig config, final ClientEngine engine) {
        this.engine = engine;
        limit = config.streamLimit();
        lengthMax = config.streamLength();
        creditStep = Math.max(1, window(config) / 2);
    }

    /** The credit with which no more comes than may be held, however short the messages are; but one always may. */
    private static long window(final ClientConfig config) {
        final long shortest = (config.streamLimit() - 1L) * RecordDescriptor.HEADER_LENGTH;
        return Math.max(1, Math.min(config.streamLength(), shortest));
    }

    /** The request with the credit that bounds it, if brokers deliver it by credit. */
    static SubscribeRequest bounded(final SubscribeRequest request, final ClientConfig config) {
        checkCredit(request.credit());
        return request.takesCredit() ? request.credit(window(config)) : request;
    }

    /** The request with the credit that bounds it. */
    static ReplayRequest bounded(final ReplayRequest request, final ClientConfig config) {
        checkCredit(request.credit());
        return request.credit(window(config));
    }

    private static void checkCredit(final long asked) {
        if (asked > 0) {
            throw new IllegalArgumentException("subscribe: credit of " + asked + " where the client gives it itself"
                    + " (leave it out: client.streamLimit and client.streamLength are the bound)");
        }
    }

    /** Called by the agent. Returns false when there is no room; the agent is woken when there is. */
    boolean tryHold(final int messageLength) {
        if (!hasRoom(messageLength)) {
            isAgentRefused.set(true);
            // Some may have been released before their thread could see that the agent waits.
            if (!hasRoom(messageLength)) {
                return false;
            }
            isAgentRefused.set(false);
        }
        hold(messageLength);
        return true;
    }

    private boolean hasRoom(final int messageLength) {
        final int held = count.get();
        return held == 0 || (held < limit && length.get() + messageLength <= lengthMax);
    }

    /** Called by the agent: something is held that cannot be refused. */
    void hold(final int messageLength) {
        count.incrementAndGet();
        length.addAndGet(messageLength);
    }

    /** Releases a message; any thread. */
    void release(final MessageView message, final ActiveSubscription subscription) {
        release(message.length(), message.creditLength(), subscription);
    }

    /** Releases what was held; any thread. */
    void release(final int heldLength, final int creditLength, final ActiveSubscription subscription) {
        length.addAndGet(-heldLength);
        final boolean isLast = count.decrementAndGet() == 0;
        if (subscription.isMadeOnCredit()) {
            final long freed = freedCredit.addAndGet(creditLength);
            if (isLast || freed >= creditStep) {
                giveCredit(subscription);
            }
        }
        // A read-modify-write: what was released must be visible before it is asked whether the agent waits.
        if (isAgentRefused.getAndSet(false)) {
            engine.wakeup();
        }
    }

    private void giveCredit(final ActiveSubscription subscription) {
        final long freed = freedCredit.getAndSet(0);
        if (freed > 0) {
            engine.credit(subscription, freed);
        }
    }
}
