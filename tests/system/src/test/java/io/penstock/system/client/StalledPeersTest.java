package io.penstock.system.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.client.AckType;
import io.penstock.client.BrokerError;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientSession;
import io.penstock.client.SessionListener;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.ErrorDecoder;
import io.penstock.protocol.codec.LogonEncoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.PublishEncoder;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Peers over TCP that stop in the middle of the longest message, and what becomes of them and of the others. */
class StalledPeersTest {
    private static final int PEER_COUNT = 100;
    private static final int SENT_LENGTH = 70_000;
    private static final int MESSAGE_LENGTH_MAX = 16 * 1024 * 1024;
    private static final int ROUNDS = 300;
    private static final int WARM_UP_ROUNDS = 50;

    /** The machine may stand still in one, and again in the next. */
    private static final int TRIES = 4;

    private static final int TIMEOUT_MS = 20_000;

    /** What the machine may be late by, whatever the broker does. */
    private static final long SLACK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    @Test
    void shouldServeAPublisherAsFastWhenAHundredPeersHaveStalled() throws IOException {
        try (Broker quiet = broker();
                Broker crowded = broker();
                Publisher alone = new Publisher(quiet);
                Publisher beside = new Publisher(crowded)) {
            boolean isAsFast = false;
            for (int i = 0; i < TRIES && !isAsFast; i++) {
                final List<Socket> peers = stall(crowded.endpoints().get(0));
                isAsFast = isAsFast(alone, beside);
                assertThat(lastError(peers.get(0))).isEqualTo(ErrorCode.TIMED_OUT.code());
                for (final Socket peer : peers) {
                    peer.close();
                }
            }

            assertThat(isAsFast).isTrue();
        }
    }

    private static boolean isAsFast(final Publisher alone, final Publisher beside) {
        final long[] aloneNs = new long[ROUNDS];
        final long[] besideNs = new long[ROUNDS];
        for (int i = -WARM_UP_ROUNDS; i < ROUNDS; i++) {
            aloneNs[Math.max(0, i)] = alone.publish();
            besideNs[Math.max(0, i)] = beside.publish();
        }
        return p99(besideNs) < 2 * p99(aloneNs) + SLACK_NS;
    }

    private static long p99(final long[] timesNs) {
        Arrays.sort(timesNs);
        return timesNs[timesNs.length * 99 / 100];
    }

    private static Broker broker() {
        return Broker.launch(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .threading(ThreadingMode.SHARED)
                .formatDefault("binary")
                .build());
    }

    private static List<Socket> stall(final URI endpoint) throws IOException {
        final byte[] logon = logon();
        final byte[] publish = publish();
        final List<Socket> peers = new ArrayList<>();
        for (int i = 0; i < PEER_COUNT; i++) {
            final Socket peer = new Socket(endpoint.getHost(), endpoint.getPort());
            peer.setSoTimeout(TIMEOUT_MS);
            peer.getOutputStream().write(logon);
            // The answer: only a client that has logged on may begin a long frame.
            final DataInputStream in = new DataInputStream(peer.getInputStream());
            in.readFully(new byte[Integer.reverseBytes(in.readInt())]);
            peer.getOutputStream().write(publish, 0, SENT_LENGTH);
            peers.add(peer);
        }
        return peers;
    }

    /** Reads until the broker has closed the connection. Returns the code of the last frame, which is an Error. */
    private static int lastError(final Socket peer) throws IOException {
        final DataInputStream in = new DataInputStream(peer.getInputStream());
        byte[] last = new byte[0];
        while (true) {
            try {
                final byte[] frame = new byte[Integer.reverseBytes(in.readInt())];
                in.readFully(frame);
                last = frame;
            } catch (final EOFException e) {
                final UnsafeBuffer buffer = new UnsafeBuffer(last);
                assertThat(FrameHeader.templateId(buffer, 0)).isEqualTo(ErrorDecoder.TEMPLATE_ID);
                return new ErrorDecoder()
                        .wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder())
                        .code();
            }
        }
    }

    private static byte[] logon() {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final LogonEncoder logon = new LogonEncoder();
        logon.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .commandId(1)
                .heartbeatIntervalMs(0);
        logon.clientName("").user("").password("").mechanism("").putToken(new byte[0], 0, 0);
        return stream(buffer, logon.limit());
    }

    private static byte[] publish() {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(MESSAGE_LENGTH_MAX + 1024);
        final PublishEncoder publish = new PublishEncoder();
        publish.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .commandId(2)
                .publisherSequence(0);
        publish.ackTypes().clear();
        publish.topic("t").putPayload(new byte[MESSAGE_LENGTH_MAX], 0, MESSAGE_LENGTH_MAX);
        return stream(buffer, publish.limit());
    }

    private static byte[] stream(final DirectBuffer buffer, final int length) {
        final byte[] bytes = new byte[Integer.BYTES + length];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(length);
        buffer.getBytes(0, bytes, Integer.BYTES, length);
        return bytes;
    }

    /** Publishes messages of 200 KB, and waits for each. */
    private static final class Publisher implements SessionListener, AutoCloseable {
        private static final UnsafeBuffer TOPIC = new UnsafeBuffer("t".getBytes(US_ASCII));
        private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(new byte[200_000]);
        private static final int PROCESSED = 2;
        private static final long AWAIT_NS = TimeUnit.MILLISECONDS.toNanos(10);

        private final ClientSession session;
        private boolean isAnswered;
        private @Nullable String failure;

        Publisher(final Broker broker) {
            session =
                    ClientSession.open(ClientConfig.of(broker.endpoints().get(0).toString()), this);
            session.connect();
            awaitAnswer();
        }

        /** Returns how long it took. */
        long publish() {
            final long startNs = System.nanoTime();
            while (session.offerPublish(TOPIC, 0, 1, MESSAGE, 0, MESSAGE.capacity(), PROCESSED, 0) < 0) {
                session.poll();
            }
            awaitAnswer();
            return System.nanoTime() - startNs;
        }

        private void awaitAnswer() {
            final long startNs = System.nanoTime();
            while (!isAnswered) {
                if (session.poll() == 0) {
                    session.await(AWAIT_NS);
                }
                assertThat(failure).isNull();
                assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS));
            }
            isAnswered = false;
        }

        @Override
        public void onLogon() {
            isAnswered = true;
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
            failure = reason;
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
