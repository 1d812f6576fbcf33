package io.penstock.bench.journal;

import io.penstock.bench.embedded.NotedListener;
import io.penstock.broker.Broker;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientSession;
import io.penstock.client.ReplayRequest;
import io.penstock.standalone.CommandFailure;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Subscribes to what is in the log, from its beginning, and counts what comes. With a broker that it drives, both run on
 * its thread. Confined to one thread.
 */
final class ReplaySubscriber extends NotedListener implements AutoCloseable {
    private static final long AWAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    private final ClientSession session;
    private final @Nullable Broker driven;
    private final boolean busy;
    private long subscriptionId;
    private long count;
    private long lastSequence;

    /**
     * Connects.
     *
     * @param endpoint of the broker.
     * @param driven   the broker, when it has no thread of its own.
     * @param busy     whether to spin rather than to block.
     */
    ReplaySubscriber(final String endpoint, final @Nullable Broker driven, final boolean busy) {
        this.driven = driven;
        this.busy = busy;
        session = ClientSession.open(
                ClientConfig.builder(endpoint).name("bench-replay").build(), this);
        session.connect();
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!isLoggedOn()) {
            poll(deadlineNs);
        }
    }

    /**
     * Subscribes, and waits until messages have come.
     *
     * @param topic    to read from the beginning.
     * @param expected count of messages.
     */
    void run(final String topic, final long expected) {
        count = 0;
        lastSequence = 0;
        subscriptionId++;
        if (session.offerSubscribeFrom(subscriptionId, ReplayRequest.topic(topic)) < 0) {
            throw CommandFailure.failed("penstock: the broker takes no subscription");
        }
        long known = 0;
        long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (count < expected) {
            poll(deadlineNs);
            if (count != known) {
                known = count;
                deadlineNs = System.nanoTime() + TIMEOUT_NS;
            }
        }
        session.offerUnsubscribe(subscriptionId);
        poll(deadlineNs);
    }

    private void poll(final long deadlineNs) {
        int workCount = session.poll();
        if (driven != null) {
            workCount += driven.invoke();
        }
        if (failure() != null) {
            throw CommandFailure.failed("penstock: " + failure());
        }
        if (workCount == 0) {
            if (!busy && driven == null) {
                session.await(AWAIT_NS);
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw CommandFailure.failed("penstock: nothing has come for 30 s: " + count + " messages so far");
            }
        }
    }

    @Override
    public boolean onMessage(
            final long subscription,
            final String name,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        if (subscription != subscriptionId) {
            return true;
        }
        if (sequence <= lastSequence) {
            fail("record " + sequence + " came after " + lastSequence);
        }
        lastSequence = sequence;
        count++;
        return true;
    }

    @Override
    public void close() {
        session.close();
    }
}
