package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.client.engine.ClientAgent;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.AckEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.Transports;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What publishing and receiving allocate, over a medium that allocates nothing, with a peer that does not either. */
class AllocationTest {
    private static final int WARM_UP = 20_000;
    private static final int MESSAGES = 50_000;
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(20);

    /** Of the measurement itself, and of whatever the JIT compiler leaves behind. */
    private static final long TOLERANCE = 64 * 1024;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[500]);
    private long ackCount;
    private long messageCount;

    @Test
    void shouldAllocateNothingForPublishesAcksAndMessages() throws IOException {
        try (Echo echo = new Echo("inproc:allocation-session")) {
            final ClientSession session = ClientSession.open(ClientConfig.of(echo.endpoint), new Counter());
            session.connect();
            while (session.state() != ClientSession.State.LOGGED_ON) {
                echo.transport.poll(1);
                session.poll();
            }
            final UnsafeBuffer topic = new UnsafeBuffer("orders".getBytes(StandardCharsets.UTF_8));
            exchange(WARM_UP, echo, session, topic);
            final long allocated = allocatedOnceWarm(() -> exchange(MESSAGES, echo, session, topic));
            session.close();
            assertThat(messageCount).isGreaterThanOrEqualTo(WARM_UP + MESSAGES);
            assertThat(ackCount).isEqualTo(messageCount);
            assertThat(allocated).as("bytes for %d messages", MESSAGES).isLessThan(TOLERANCE);
        }
    }

    /** Bytes. When everything is compiled depends on what else the machine does. */
    private long allocatedOnceWarm(final Runnable work) {
        final long deadlineNs = System.nanoTime() + WARM_UP_NS;
        long allocated;
        do {
            final long before = threads.getCurrentThreadAllocatedBytes();
            work.run();
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        } while (allocated >= TOLERANCE && System.nanoTime() - deadlineNs < 0);
        return allocated;
    }

    private void exchange(final int count, final Echo echo, final ClientSession session, final UnsafeBuffer topic) {
        int sent = 0;
        final long end = messageCount + count;
        while (messageCount < end) {
            if (sent < count
                    && session.offerPublish(
                                    topic,
                                    0,
                                    topic.capacity(),
                                    payload,
                                    0,
                                    payload.capacity(),
                                    AckType.PROCESSED.mask(),
                                    0)
                            > 0) {
                sent++;
            }
            session.poll();
            echo.transport.poll(64);
        }
    }

    @Test
    void shouldAllocateNothingForPublishesWithHandlersThroughTheRing() throws IOException {
        publishThroughTheRing("inproc:allocation-client", config -> config);
    }

    @Test
    void shouldAllocateNothingForPublishesThroughAStore() throws IOException {
        final PublishStore store = PublishStore.inMemory();
        publishThroughTheRing(
                "inproc:allocation-store", config -> config.name("desk").publishStore(store));
    }

    @Test
    void shouldAllocateNothingForPublishesThroughAStoreInFiles(@TempDir final Path directory) throws IOException {
        final PublishStore store = PublishStore.inFile(directory.resolve("store"));
        publishThroughTheRing(
                "inproc:allocation-file", config -> config.name("desk").publishStore(store));
    }

    private void publishThroughTheRing(final String endpoint, final UnaryOperator<ClientConfig.Builder> configure)
            throws IOException {
        publishThroughTheRing(endpoint, configure, client -> {});
    }

    private void publishThroughTheRing(
            final String endpoint,
            final UnaryOperator<ClientConfig.Builder> configure,
            final Consumer<PenstockClient> begin)
            throws IOException {
        ackCount = 0;
        try (Echo echo = new Echo(endpoint)) {
            final PenstockClient client = PenstockClient.invoked(
                    configure.apply(ClientConfig.builder(echo.endpoint)).build());
            final ClientAgent agent = client.agent();
            agent.connect();
            while (!client.isConnected()) {
                echo.transport.poll(1);
                agent.doWork();
            }
            begin.accept(client);
            final AckHandler handler = new AckHandler() {
                @Override
                public void onAck(final long correlationId, final AckType type, final long publisherSequence) {
                    ackCount++;
                }

                @Override
                public void onFailure(final long correlationId, final PenstockException reason) {
                    throw reason;
                }
            };
            exchange(WARM_UP, echo, client, agent, handler);
            final long allocated = allocatedOnceWarm(() -> exchange(MESSAGES, echo, client, agent, handler));
            agent.end(new ConnectionException("test is over", null));
            assertThat(allocated).as("bytes for %d messages", MESSAGES).isLessThan(TOLERANCE);
        }
    }

    /** By the handler of a subscription, while it is watched for how long handlers keep the thread. */
    @Test
    void shouldAllocateNothingForMessagesToAHandler() throws IOException {
        publishThroughTheRing(
                "inproc:allocation-handler", config -> config.handlerWarning(Duration.ofMinutes(1)), client -> {
                    assertThat(client.subscribeAsync(SubscribeRequest.topic("orders"), message -> messageCount++))
                            .isNotDone();
                });
        assertThat(messageCount).isGreaterThanOrEqualTo(WARM_UP + MESSAGES);
    }

    private void exchange(
            final int count,
            final Echo echo,
            final PenstockClient client,
            final ClientAgent agent,
            final AckHandler handler) {
        final Publication message = Publication.to("orders");
        int sent = 0;
        final long end = ackCount + count;
        while (ackCount < end) {
            if (sent < count
                    && client.tryPublish(
                            message.bytes(payload, 0, payload.capacity()), AckType.PROCESSED.mask(), handler, sent)) {
                sent++;
            }
            agent.doWork();
            echo.transport.poll(64);
        }
    }

    /** Counts. */
    private final class Counter implements SessionListener {
        @Override
        public void onLogon() {}

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
            messageCount++;
            return true;
        }

        @Override
        public void onAck(final AckType type, final long commandId, final long sequence, final long returned) {
            if (type == AckType.PROCESSED) {
                ackCount++;
            }
        }

        @Override
        public void onError(final BrokerError error) {
            throw error.toException();
        }

        @Override
        public void onDisconnect(final String reason, final @Nullable ErrorCode errorCode) {
            throw new AssertionError(reason);
        }
    }

    /** Answers the logon, and each publish with its acknowledgement and a message that was made before. */
    private static final class Echo implements TransportHandler, AutoCloseable {
        private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

        private static final int ACK_TYPE_OFFSET = FrameHeader.LENGTH + AckEncoder.ackTypeEncodingOffset();

        private final UnsafeBuffer ack = new UnsafeBuffer(new byte[FrameHeader.LENGTH + AckEncoder.BLOCK_LENGTH]);
        private final UnsafeBuffer deliver = new UnsafeBuffer(ByteFrames.deliver(1, 3, new byte[500]));
        private final Transport transport;
        private final String endpoint;

        Echo(final String endpoint) throws IOException {
            this.endpoint = endpoint;
            new AckEncoder()
                    .wrapAndApplyHeader(ack, 0, new MessageHeaderEncoder())
                    .ackType(io.penstock.protocol.codec.AckType.PROCESSED)
                    .duplicate((short) 0)
                    .shard(0)
                    .sequence(0);
            transport = Transports.providerFor(URI.create(endpoint))
                    .open(new TransportContext(
                            this, 1 << 20, 1_000_000_000L, 4, new TransportCounters(), this::wakeup, error -> {
                                throw new AssertionError(error);
                            }));
            transport.listen(URI.create(endpoint));
        }

        private void wakeup() {
            transport.wakeup();
        }

        @Override
        public void onConnect(final Connection connection) {}

        @Override
        public boolean onFragment(
                final Connection connection,
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final int frameOffset,
                final int frameLength) {
            if (FrameHeader.templateId(buffer, offset) == 1) {
                send(connection, new UnsafeBuffer(ByteFrames.logonAck(1)));
                send(connection, new UnsafeBuffer(ByteFrames.topic(3, "orders")));
                return true;
            }
            final long commandId = buffer.getLong(offset + FrameHeader.LENGTH, ByteOrder.LITTLE_ENDIAN);
            ack.putLong(FrameHeader.LENGTH, commandId, ByteOrder.LITTLE_ENDIAN);
            ack.putByte(ACK_TYPE_OFFSET, (byte) AckType.PERSISTED.code());
            send(connection, ack);
            ack.putByte(ACK_TYPE_OFFSET, (byte) AckType.PROCESSED.code());
            send(connection, ack);
            send(connection, deliver);
            return true;
        }

        private static void send(final Connection connection, final UnsafeBuffer frame) {
            if (connection.offer(frame, 0, frame.capacity(), EMPTY, 0, 0, 0) < 0) {
                throw new AssertionError("no room for an answer");
            }
        }

        @Override
        public void onDisconnect(final Connection connection, final String reason) {}

        @Override
        public void close() {
            transport.close();
        }
    }
}
