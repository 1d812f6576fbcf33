package io.penstock.bench;

import io.penstock.client.AckType;
import io.penstock.client.BrokerError;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientSession;
import io.penstock.client.RecordKind;
import io.penstock.client.SessionListener;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import io.penstock.standalone.CommandFailure;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** A connection with some of the subscriptions, which counts what it gets. Owned by the main thread. */
final class FanOutClient implements SessionListener, AutoCloseable {
    private static final long ANSWER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long AWAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ClientSession session;
    private int answered;
    private long messages;
    private long outOfFocus;
    private @Nullable String failure;

    FanOutClient(final String endpoint) {
        session = ClientSession.open(ClientConfig.of(endpoint), this);
        session.connect();
        await(1);
    }

    /** Subscribes, with records that leave the filter; waits until the broker has agreed. */
    void subscribe(final int subscription, final String filter) {
        final int before = answered;
        final SubscribeRequest request =
                SubscribeRequest.topic(Subject.TOPIC).filter(filter).oof();
        while (session.offerSubscribe(subscription + 1L, request) < 0) {
            poll();
        }
        await(before + 1);
    }

    int poll() {
        final int workCount = session.poll();
        if (failure != null) {
            throw CommandFailure.failed("bench: a subscriber has failed: " + failure);
        }
        return workCount;
    }

    long messages() {
        return messages;
    }

    long outOfFocus() {
        return outOfFocus;
    }

    private void await(final int answers) {
        final long deadlineNs = System.nanoTime() + ANSWER_TIMEOUT_NS;
        while (answered < answers) {
            if (System.nanoTime() - deadlineNs > 0) {
                failure = "no answer within 10 s";
            }
            if (poll() == 0) {
                session.await(AWAIT_NS);
            }
        }
    }

    @Override
    public void onLogon() {
        answered++;
    }

    @Override
    public boolean onRecord(
            final RecordKind kind,
            final long subscriptionId,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int keyLength) {
        if (kind == RecordKind.MESSAGE) {
            messages++;
        } else if (kind == RecordKind.OOF_MATCH) {
            outOfFocus++;
        } else {
            failure = "a record of another kind: " + kind;
        }
        return true;
    }

    @Override
    public boolean onMessage(
            final long subscriptionId,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        messages++;
        return true;
    }

    @Override
    public void onAck(final AckType type, final long commandId, final long publisherSequence, final long returned) {
        answered++;
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
