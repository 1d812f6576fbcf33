package io.penstock.jmh.security;

import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.protocol.codec.AckDecoder;
import io.penstock.protocol.codec.DeliverDecoder;
import io.penstock.protocol.codec.ErrorDecoder;
import io.penstock.protocol.codec.LogonAckDecoder;
import io.penstock.protocol.codec.LogonEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.SubscribeEncoder;
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
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Many clients on one thread, each with a subscription, which look at the number of each message: even ones may always be seen,
 * odd ones only sometimes. Other threads read what they note.
 */
final class PermissionReaders implements TransportHandler, Runnable {
    private static final int HEARTBEAT_INTERVAL_MS = 3_600_000;
    private static final int CONNECTS_A_POLL = 32;
    private static final long AWAIT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final URI endpoint;
    private final int count;
    private final Map<Connection, Reader> readers = new HashMap<>();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final AtomicBoolean isRunning = new AtomicBoolean(true);
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final AtomicInteger subscribed = new AtomicInteger();

    /** The first message that was published when the present change held for all; none so far if it is the greatest number. */
    private final AtomicInteger marker = new AtomicInteger(Integer.MAX_VALUE);

    private final AtomicBoolean mayOddBeSeen = new AtomicBoolean(true);
    private final AtomicInteger passed = new AtomicInteger();
    private final AtomicInteger seenOdd = new AtomicInteger();
    private final AtomicInteger round = new AtomicInteger();
    private final AtomicLong lastOddNs = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();

    /** What one client has got. */
    private static final class Reader {
        private int passedRound;
        private int oddRound;
    }

    /**
     * None are connected yet.
     *
     * @param endpoint of the broker.
     * @param count    of clients.
     */
    PermissionReaders(final URI endpoint, final int count) {
        this.endpoint = endpoint;
        this.count = count;
    }

    /** Whether all are subscribed. */
    boolean areReady() {
        check();
        return subscribed.get() == count;
    }

    /** A change is about to be made. */
    void beginChange() {
        marker.set(Integer.MAX_VALUE);
        passed.set(0);
        seenOdd.set(0);
        lastOddNs.set(0);
        round.incrementAndGet();
    }

    /** It holds for all messages from one number on. */
    void onApplied(final int number, final boolean mayOdd) {
        mayOddBeSeen.set(mayOdd);
        marker.set(number);
    }

    /** Whether each has got a message from when the change held. */
    boolean haveAllPassed() {
        check();
        return passed.get() == count;
    }

    /** Whether each has got an odd message since the change began. */
    boolean haveAllSeenOdd() {
        check();
        return seenOdd.get() == count;
    }

    /** When the last odd message came since the change began; 0 when none has. */
    long lastOddNs() {
        return lastOddNs.get();
    }

    /** Messages that came after the change held and that may not be seen. */
    long wrong() {
        return wrong.get();
    }

    void stop() {
        isRunning.set(false);
    }

    private void check() {
        final String reason = failure.get();
        if (reason != null) {
            throw new IllegalStateException(reason);
        }
    }

    @Override
    public void run() {
        try (Transport transport = Transports.providerFor(endpoint)
                .open(new TransportContext(
                        this,
                        TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                        TransportContext.CONNECT_TIMEOUT_NS_DEFAULT,
                        count,
                        new TransportCounters(),
                        () -> {},
                        error -> failure.set("readers: " + error)))) {
            for (int i = 0; i < count; i++) {
                final Connection connection = transport.connect(endpoint);
                readers.put(connection, new Reader());
                logOn(connection);
                if (i % CONNECTS_A_POLL == 0) {
                    transport.poll(Integer.MAX_VALUE);
                }
            }
            while (isRunning.get()) {
                if (transport.poll(Integer.MAX_VALUE) == 0) {
                    transport.await(AWAIT_NS);
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
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
        final int templateId = FrameHeader.templateId(frame, offset);
        if (templateId == DeliverDecoder.TEMPLATE_ID) {
            final Reader reader = Objects.requireNonNull(readers.get(connection));
            final int end = offset + length;
            int at = offset + FrameHeader.LENGTH + FrameHeader.blockLength(frame, offset);
            while (at < end) {
                if (RecordDescriptor.type(frame, at) != RecordDescriptor.TYPE_PADDING) {
                    onMessage(reader, PermissionChanges.number(frame, at + RecordDescriptor.HEADER_LENGTH));
                }
                at += RecordDescriptor.alignedLength(RecordDescriptor.length(frame, at));
            }
        } else if (templateId == LogonAckDecoder.TEMPLATE_ID) {
            subscribe(connection);
        } else if (templateId == AckDecoder.TEMPLATE_ID) {
            subscribed.incrementAndGet();
        } else if (templateId == ErrorDecoder.TEMPLATE_ID) {
            failure.set("readers: one was refused");
        }
        return true;
    }

    private void onMessage(final Reader reader, final int number) {
        final int present = round.get();
        final int from = marker.get();
        if (number % 2 != 0) {
            lastOddNs.set(System.nanoTime());
            if (reader.oddRound != present) {
                reader.oddRound = present;
                seenOdd.incrementAndGet();
            }
            if (!mayOddBeSeen.get()
                    && (number >= from || (reader.passedRound == present && from != Integer.MAX_VALUE))) {
                wrong.incrementAndGet();
            }
        } else if (number >= from && reader.passedRound != present) {
            reader.passedRound = present;
            passed.incrementAndGet();
        }
    }

    @Override
    public void onDisconnect(final Connection connection, final String reason) {
        if (isRunning.get()) {
            failure.set("readers: a connection was lost: " + reason);
        }
    }

    private void logOn(final Connection connection) {
        final LogonEncoder logon = new LogonEncoder();
        logon.wrapAndApplyHeader(buffer, 0, header)
                .commandId(1)
                .heartbeatIntervalMs(HEARTBEAT_INTERVAL_MS)
                .clientName("")
                .user("reader")
                .password("")
                .mechanism("")
                .putToken(new byte[0], 0, 0);
        offer(connection, logon.limit());
    }

    private void subscribe(final Connection connection) {
        final SubscribeEncoder subscribe = new SubscribeEncoder();
        subscribe
                .wrapAndApplyHeader(buffer, 0, header)
                .commandId(2)
                .subscriptionId(1)
                .conflationMs(0)
                .topN(-1)
                .skipN(0)
                .batchSize(0);
        subscribe.options().clear();
        subscribe.ackTypes().clear().processed(true);
        subscribe
                .topic(PermissionChanges.TOPIC)
                .filter("")
                .orderBy("")
                .selection("")
                .conflationKey("");
        offer(connection, subscribe.limit());
    }

    private void offer(final Connection connection, final int length) {
        if (connection.offer(EMPTY, 0, 0, buffer, 0, length, 0) < 0) {
            failure.set("readers: a command was not taken");
        }
    }
}
