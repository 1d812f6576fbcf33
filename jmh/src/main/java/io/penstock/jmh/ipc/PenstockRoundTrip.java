package io.penstock.jmh.ipc;

import io.penstock.client.AckType;
import io.penstock.client.BrokerError;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientSession;
import io.penstock.client.PenstockClient;
import io.penstock.client.SessionListener;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** One session that is subscribed to what it publishes. */
final class PenstockRoundTrip implements RoundTripsBesideAeron.Subject, SessionListener {
    static final int LENGTH = 100;

    private static final String TOPIC = "round-trips";

    private final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));
    private final UnsafeBuffer topic = new UnsafeBuffer(TOPIC.getBytes(StandardCharsets.UTF_8));
    private final ClientSession session;
    private boolean isAnswered;
    private @Nullable String failure;
    private long sent;
    private long received;

    PenstockRoundTrip(final String endpoint) {
        final ClientConfig config = ClientConfig.builder(endpoint).build();
        try (PenstockClient client = PenstockClient.connect(config)) {
            client.declareTopic(TOPIC, "binary");
        }
        session = ClientSession.open(config, this);
        session.connect();
        awaitAnswer();
        isAnswered = false;
        session.offerSubscribe(1, SubscribeRequest.topic(TOPIC));
        awaitAnswer();
    }

    private void awaitAnswer() {
        while (!isAnswered) {
            poll();
        }
    }

    private void poll() {
        if (session.poll() == 0) {
            Thread.onSpinWait();
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void roundTrip() {
        message.putLong(0, ++sent);
        while (session.offerPublish(topic, 0, topic.capacity(), message, 0, LENGTH, 0, 0) < 0) {
            poll();
        }
        while (received < sent) {
            poll();
        }
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
        received = buffer.getLong(offset);
        return true;
    }

    @Override
    public void onAck(final AckType type, final long commandId, final long publisherSequence, final long returned) {
        isAnswered = true;
    }

    @Override
    public void onError(final BrokerError error) {
        failure = error.toString();
    }

    @Override
    public void onDisconnect(final String reason, final @Nullable ErrorCode errorCode) {
        failure = failure == null ? reason : failure;
    }

    @Override
    public void close() {
        session.close();
    }
}
