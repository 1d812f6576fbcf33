package io.penstock.bench.embedded;

import io.penstock.client.AckType;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientSession;
import io.penstock.client.SubscribeRequest;
import io.penstock.standalone.CommandFailure;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A connection to a broker whose thread publishes and takes what comes; any failure ends the benchmark. Confined to one thread. */
public final class BenchSession extends NotedListener implements AutoCloseable {
    private static final long AWAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(10);
    private static final int AHEAD_COUNT_MAX = 256;
    private static final int POLL_INTERVAL = 64;

    private final ClientSession session;
    private final UnsafeBuffer topic;
    private final DeliveryHandler handler;
    private long ackedId;
    private long ackCount;
    private long askedCount;
    private int sincePoll;

    private BenchSession(final ClientConfig config, final String topicName, final DeliveryHandler handler) {
        topic = new UnsafeBuffer(topicName.getBytes(StandardCharsets.UTF_8));
        this.handler = handler;
        session = ClientSession.open(config, this);
    }

    /** Called for each delivery. */
    public interface DeliveryHandler {
        /**
         * A message has come.
         *
         * @param subscriptionId that it is for.
         * @param buffer         that has it, until this returns.
         * @param offset         of its first byte.
         * @param length         in bytes.
         */
        void onDelivery(long subscriptionId, DirectBuffer buffer, int offset, int length);
    }

    /**
     * Connects, and waits for the logon.
     *
     * @param config    of the client.
     * @param topicName that it publishes to.
     * @param handler   of what comes.
     * @return the connection.
     */
    public static BenchSession connect(
            final ClientConfig config, final String topicName, final DeliveryHandler handler) {
        final BenchSession connected = new BenchSession(config, topicName, handler);
        connected.session.connect();
        connected.await(connected::isLoggedOn);
        return connected;
    }

    /**
     * Publishes, and waits for room as long as there is none.
     *
     * @param message to publish.
     * @param length  in bytes.
     */
    public void publish(final DirectBuffer message, final int length) {
        while (!offer(message, length)) {
            pollOrAwait();
        }
        if (++sincePoll == POLL_INTERVAL) {
            poll();
        }
    }

    /**
     * Publishes when there is room.
     *
     * @param message to publish.
     * @param length  in bytes.
     * @return whether it was taken.
     */
    public boolean offer(final DirectBuffer message, final int length) {
        return session.offerPublish(topic, 0, topic.capacity(), message, 0, length, 0, 0) >= 0;
    }

    /**
     * Subscribes without waiting for the answer, unless very many are missing.
     *
     * @param subscriptionId of this connection.
     * @param request        what to.
     */
    public void subscribe(final long subscriptionId, final SubscribeRequest request) {
        while (session.offerSubscribe(subscriptionId, request) < 0) {
            pollOrAwait();
        }
        askedCount++;
        await(() -> askedCount - ackCount < AHEAD_COUNT_MAX);
    }

    /** Waits until all subscriptions that were asked for are there. */
    public void awaitAcks() {
        await(() -> askedCount == ackCount);
    }

    /**
     * Ends a subscription, and waits for the answer.
     *
     * @param subscriptionId of this connection.
     */
    public void unsubscribe(final long subscriptionId) {
        while (session.offerUnsubscribe(subscriptionId) < 0) {
            pollOrAwait();
        }
        askedCount++;
        awaitAcks();
    }

    /** Waits until all that was published before is applied, and what it caused has come. */
    public void flush() {
        long id = session.offerFlush();
        while (id < 0) {
            pollOrAwait();
            id = session.offerFlush();
        }
        askedCount++;
        final long flushId = id;
        await(() -> ackedId == flushId);
    }

    /**
     * Takes what has come.
     *
     * @return the work done; 0 when there was none.
     */
    public int poll() {
        sincePoll = 0;
        final int workCount = session.poll();
        if (failure() != null) {
            throw CommandFailure.failed("bench: a client has failed: " + failure());
        }
        return workCount;
    }

    /**
     * Waits until something is so, and takes what comes meanwhile.
     *
     * @param condition that is waited for.
     */
    public void await(final BooleanSupplier condition) {
        final long endNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean()) {
            pollOrAwait();
            if (System.nanoTime() - endNs > 0) {
                throw CommandFailure.failed("bench: a client has waited too long for the broker");
            }
        }
    }

    private void pollOrAwait() {
        if (poll() == 0) {
            session.await(AWAIT_NS);
        }
    }

    @Override
    public void close() {
        session.close();
    }

    @Override
    public boolean onMessage(
            final long subscriptionId,
            final String name,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        handler.onDelivery(subscriptionId, buffer, offset, length);
        return true;
    }

    @Override
    public void onAck(final AckType type, final long commandId, final long publisherSequence, final long returned) {
        ackedId = commandId;
        ackCount++;
    }
}
