package io.penstock.bench.fanout;

import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.AckDecoder;
import io.penstock.protocol.codec.ErrorDecoder;
import io.penstock.protocol.codec.LogonAckDecoder;
import io.penstock.protocol.codec.LogonEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.SubscribeEncoder;
import io.penstock.standalone.CommandFailure;
import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.Transports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Many connections on one thread, which counts what they get and looks at nothing else. Other threads read the counts. */
final class Receivers implements TransportHandler, Runnable {
    private static final int HEARTBEAT_INTERVAL_MS = 3_600_000;
    private static final int CONNECTS_A_POLL = 32;
    private static final long AWAIT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final URI endpoint;
    private final FanoutPlan plan;
    private final String topic;
    private final Map<Connection, long[]> counts = new HashMap<>();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final AtomicBoolean isRunning = new AtomicBoolean(true);
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicLong delivered = new AtomicLong();

    private Receivers(final URI endpoint, final FanoutPlan plan, final String topic) {
        this.endpoint = endpoint;
        this.plan = plan;
        this.topic = topic;
    }

    /** Receivers that log on and subscribe to a topic of a broker. */
    static Receivers ofBroker(final URI endpoint, final FanoutPlan plan, final String topic) {
        return new Receivers(endpoint, plan, topic);
    }

    /** Receivers that say nothing. */
    static Receivers silent(final URI endpoint, final FanoutPlan plan) {
        return new Receivers(endpoint, plan, "");
    }

    /** Whether all connections are there, with their subscriptions. Any thread. */
    boolean areReady() {
        final int ofConnection = topic.isEmpty() ? 1 : 1 + plan.subscriptions();
        return answers.get() == plan.connections() * ofConnection;
    }

    /** Deliveries to all connections. Any thread. */
    long delivered() {
        return delivered.get();
    }

    /** Ends the thread soon. Any thread. */
    void stop() {
        isRunning.set(false);
    }

    @Override
    public void run() {
        try (Transport transport = Transports.providerFor(endpoint)
                .open(new TransportContext(
                        this,
                        TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                        TransportContext.CONNECT_TIMEOUT_NS_DEFAULT,
                        plan.connections(),
                        new TransportCounters(),
                        () -> {},
                        error -> {
                            throw CommandFailure.failed("bench: receivers have failed: " + error.getMessage());
                        }))) {
            for (int i = 0; i < plan.connections(); i++) {
                add(transport.connect(endpoint));
                if (i % CONNECTS_A_POLL == 0) {
                    transport.poll(Integer.MAX_VALUE);
                }
            }
            while (isRunning.get()) {
                if (transport.poll(Integer.MAX_VALUE) == 0) {
                    transport.await(AWAIT_NS);
                }
            }
            check();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(final Connection connection) {
        counts.put(connection, new long[1]);
        if (topic.isEmpty()) {
            answers.incrementAndGet();
        } else {
            logOn(connection);
        }
    }

    /** Each connection has got as much as every other one. */
    private void check() {
        final long expected = delivered.get() / plan.connections();
        for (final long[] count : counts.values()) {
            if (count[0] != expected) {
                throw CommandFailure.failed(
                        "bench: a connection has got " + count[0] + " deliveries, not " + expected + " as others");
            }
        }
    }

    @Override
    public void onConnect(final Connection connection) {}

    @Override
    public boolean onFragment(
            final Connection connection,
            final DirectBuffer frame,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        if (length != frameLength) {
            throw CommandFailure.failed("bench: a delivery in parts");
        }
        final int count = SharedFrames.recordCount(frame, offset, length);
        if (count >= 0) {
            Objects.requireNonNull(counts.get(connection))[0] += count;
            delivered.setRelease(delivered.getPlain() + count);
        } else {
            onAnswer(connection, FrameHeader.templateId(frame, offset));
        }
        return true;
    }

    private void onAnswer(final Connection connection, final int templateId) {
        if (templateId == LogonAckDecoder.TEMPLATE_ID) {
            for (int i = 1; i <= plan.subscriptions(); i++) {
                subscribe(connection, i);
            }
        }
        if (templateId == LogonAckDecoder.TEMPLATE_ID || templateId == AckDecoder.TEMPLATE_ID) {
            answers.incrementAndGet();
        } else if (templateId == ErrorDecoder.TEMPLATE_ID) {
            throw CommandFailure.failed("bench: a receiver was refused");
        }
    }

    @Override
    public void onDisconnect(final Connection connection, final String reason) {
        if (isRunning.get()) {
            throw CommandFailure.failed("bench: a receiver's connection was lost: " + reason);
        }
    }

    private void logOn(final Connection connection) {
        final LogonEncoder logon = new LogonEncoder();
        logon.wrapAndApplyHeader(buffer, 0, header)
                .commandId(1)
                .heartbeatIntervalMs(HEARTBEAT_INTERVAL_MS)
                .clientName("")
                .user("")
                .password("")
                .mechanism("")
                .putToken(new byte[0], 0, 0);
        offer(connection, logon.limit());
    }

    private void subscribe(final Connection connection, final int subscription) {
        final SubscribeEncoder subscribe = new SubscribeEncoder();
        subscribe
                .wrapAndApplyHeader(buffer, 0, header)
                .commandId(1L + subscription)
                .subscriptionId(subscription)
                .conflationMs(0)
                .topN(-1)
                .skipN(0)
                .batchSize(0);
        subscribe.options().clear();
        subscribe.ackTypes().clear().processed(true);
        subscribe.topic(topic).filter("").orderBy("").selection("").conflationKey("");
        offer(connection, subscribe.limit());
    }

    private void offer(final Connection connection, final int length) {
        if (connection.offer(EMPTY, 0, 0, buffer, 0, length, 0) < 0) {
            throw CommandFailure.failed("bench: a receiver's command was not taken");
        }
    }
}
