package io.penstock.bench;

import io.penstock.bench.embedded.NotedListener;
import io.penstock.client.AckType;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientSession;
import io.penstock.client.SubscribeRequest;
import io.penstock.standalone.CommandFailure;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A session that publishes to the benchmark's topic, or is subscribed to it, or both. */
final class PenstockPort extends NotedListener implements Subject.PublishPort, Subject.DeliveryPort {
    private static final long ANSWER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long AWAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int SUBSCRIPTION_ID = 1;

    private final ClientSession session;
    private final UnsafeBuffer topic = new UnsafeBuffer(Subject.TOPIC.getBytes(StandardCharsets.UTF_8));
    private final Subject.DeliveryHandler handler;
    private boolean isAnswered;

    private PenstockPort(final ClientConfig config, final Subject.DeliveryHandler handler) {
        this.handler = handler;
        session = ClientSession.open(config, this);
    }

    static PenstockPort connect(final ClientConfig config, final Subject.DeliveryHandler handler) {
        final PenstockPort port = new PenstockPort(config, handler);
        port.session.connect();
        port.awaitAnswer();
        return port;
    }

    void subscribe(final String filter) {
        isAnswered = false;
        session.offerSubscribe(
                SUBSCRIPTION_ID, SubscribeRequest.topic(Subject.TOPIC).filter(filter));
        awaitAnswer();
    }

    @Override
    public boolean tryPublish(final DirectBuffer buffer, final int offset, final int length) {
        final long commandId = session.offerPublish(topic, 0, topic.capacity(), buffer, offset, length, 0, 0);
        if (commandId == ClientSession.CLOSED) {
            fail("the connection is closed");
        }
        failOnFailure();
        return commandId >= 0;
    }

    @Override
    public int poll() {
        final int workCount = session.poll();
        failOnFailure();
        return workCount;
    }

    @Override
    public boolean isFlushed() {
        return session.isFlushed();
    }

    @Override
    public void await(final long timeoutNs) {
        session.await(timeoutNs);
    }

    @Override
    public void close() {
        session.close();
    }

    @Override
    public void onLogon() {
        isAnswered = true;
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
        handler.onDelivery(buffer, offset, length);
        return true;
    }

    @Override
    public void onAck(final AckType type, final long commandId, final long publisherSequence, final long returned) {
        isAnswered = true;
    }

    private void awaitAnswer() {
        final long deadlineNs = System.nanoTime() + ANSWER_TIMEOUT_NS;
        while (!isAnswered) {
            if (System.nanoTime() - deadlineNs > 0) {
                fail("no answer within 10 s");
            }
            if (poll() == 0) {
                session.await(AWAIT_NS);
            }
        }
    }

    private void failOnFailure() {
        final String failure = failure();
        if (failure != null) {
            throw CommandFailure.failed(failure);
        }
    }
}
