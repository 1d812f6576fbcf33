package io.penstock.transport.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.transport.Connection;
import io.penstock.transport.TransportContext;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Peers that write what they like to the memory that they share. */
@EnabledOnOs(OS.LINUX)
class IpcHostilePeerTest {
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 20);
    private static final int TAIL = RingFile.words(RingFile.CONNECTOR) + RingFile.TAIL_OFFSET;
    private static final int HEAD = RingFile.words(RingFile.CONNECTOR) + RingFile.HEAD_OFFSET;
    private static final int RING = 4096;
    private static final int RING_LENGTH = RingFile.RING_LENGTH_DEFAULT;

    @TempDir
    private Path folder;

    private IpcSide server;
    private IpcSide client;
    private IpcEndpoint endpoint;
    private Connection good;
    private int goodCount;

    IpcHostilePeerTest() throws IOException {
        server = new IpcSide();
        client = new IpcSide();
        endpoint = IpcEndpoint.of(URI.create("ipc:none"));
    }

    @BeforeEach
    void listen() throws IOException {
        endpoint = IpcEndpoint.of(server.transport.listen(IpcSide.endpoint(folder.resolve("d"))));
        good = client.transport.connect(endpoint.uri());
        IpcSide.pollUntil("accepted", () -> server.connections.size() == 1, server);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        assertThat(server.errors).isEmpty();
    }

    static Stream<Arguments> lies() {
        return Stream.of(
                Arguments.of(24L, -2, 10, 0L, "lengths in the ring"),
                Arguments.of(24L, Integer.MIN_VALUE, 10, 0L, "lengths in the ring"),
                Arguments.of(24L, Integer.MAX_VALUE, Integer.MAX_VALUE, 0L, "lengths in the ring"),
                Arguments.of(24L, 17, 17, 0L, "lengths in the ring"),
                Arguments.of(24L, -1, 0, 0L, "lengths in the ring"),
                Arguments.of((long) RING_LENGTH, 65_537, 65_537, 0L, "lengths in the ring"),
                Arguments.of(20L, 10, 10, 0L, "lengths in the ring"),
                Arguments.of(-8L, 10, 10, 0L, "lengths in the ring"),
                Arguments.of(Long.MAX_VALUE, 10, 10, 0L, "lengths in the ring"),
                Arguments.of(RING_LENGTH + 8L, 10, 10, 0L, "lengths in the ring"),
                Arguments.of(24L, 10, -1, 0L, "frame is longer than transport.frameLengthMax: -1"),
                Arguments.of(24L, 10, Integer.MAX_VALUE, 0L, "frame is longer than transport.frameLengthMax"),
                Arguments.of(24L, 10, 11, 0L, "a short frame came in parts: 10 of 11"),
                Arguments.of(24L, 10, 9, 0L, "a short frame came in parts: 10 of 9"),
                Arguments.of(24L, 10, 70_000, 0L, "the first part of a long frame is short: 10 of 70000"),
                Arguments.of(65_544L, 65_535, 65_537, 0L, "the first part of a long frame is short: 65535 of 65537"),
                Arguments.of(24L, 0, 70_000, 0L, "the first part of a long frame is short: 0 of 70000"));
    }

    @ParameterizedTest
    @MethodSource("lies")
    void shouldDisconnectWhenTheWriterLies(
            final long tail, final int part, final int frame, final long head, final String reason) throws Exception {
        try (Bad bad = new Bad()) {
            bad.shared().putLong(RING, Records.header(part, frame), ByteOrder.LITTLE_ENDIAN);
            bad.shared().putLongVolatile(TAIL, tail);

            IpcSide.pollUntil("disconnected", bad.connection()::isClosed, server);

            assertThat(server.reasons.get(bad.connection().id())).startsWith(reason);
            assertThat(server.counters.protocolErrors()).isEqualTo(1);
            assertThat(server.countById).isEmpty();
            transferOnTheGoodOne(100);
        }
    }

    @Test
    void shouldDisconnectWhenTheReaderSaysItReadMoreThanThereIs() throws Exception {
        try (Bad bad = new Bad()) {
            bad.shared().putLongVolatile(HEAD, 1L << 40);
            for (int i = 0; i < 10_000 && IpcSide.send(bad.connection(), i); i++) {
                assertThat(i).isLessThan(RING_LENGTH / 1000);
            }

            IpcSide.pollUntil("disconnected", bad.connection()::isClosed, server);

            assertThat(server.reasons.get(bad.connection().id())).startsWith("the head of the ring cannot be");
            transferOnTheGoodOne(100);
        }
    }

    @Test
    void shouldShowTheHandlerBytesThatStayWhenThePeerRewritesThem() throws Exception {
        try (Bad bad = new Bad()) {
            final int[] seen = new int[2];
            server.rule = (connection, buffer, offset, length) -> {
                seen[0] = buffer.getInt(offset);
                bad.shared().setMemory(RING, 4096, (byte) 0x77);
                seen[1] = buffer.getInt(offset);
                return true;
            };
            bad.shared().putLong(RING, Records.header(8, 8), ByteOrder.LITTLE_ENDIAN);
            bad.shared().putInt(RING + Records.HEADER_LENGTH, 42);
            bad.shared().putLongVolatile(TAIL, 16);

            IpcSide.pollUntil("seen", () -> seen[0] != 0, server);

            assertThat(seen).containsExactly(42, 42);
        }
    }

    @Test
    void shouldOfferTheSameLengthsAgainWhenThePeerRewritesThemAfterARefusal() throws Exception {
        try (Bad bad = new Bad()) {
            final int[] lengths = new int[2];
            final int[] calls = {0};
            server.rule = (connection, buffer, offset, length) -> {
                lengths[calls[0]] = length;
                bad.shared().putLong(RING, Records.header(60_000, 16_000_000), ByteOrder.LITTLE_ENDIAN);
                return ++calls[0] == 2;
            };
            bad.shared().putLong(RING, Records.header(8, 8), ByteOrder.LITTLE_ENDIAN);
            bad.shared().putLongVolatile(TAIL, 16);

            IpcSide.pollUntil("seen", () -> calls[0] == 2, server);

            assertThat(lengths).containsExactly(8, 8);
        }
    }

    @Test
    void shouldServeOthersWhenAPeerScribblesWhileItIsRead() throws Exception {
        for (int seed = 0; seed < SEED_COUNT; seed++) {
            final Random random = new Random(seed);
            try (Bad bad = new Bad()) {
                final AtomicBoolean isDone = new AtomicBoolean();
                final Thread scribbler = new Thread(() -> {
                    while (!isDone.get()) {
                        scribble(bad.shared(), random);
                    }
                });
                scribbler.start();
                try {
                    for (int i = 0; i < 20; i++) {
                        IpcSide.send(bad.connection(), i);
                        transferOnTheGoodOne(20);
                    }
                } catch (final AssertionError ex) {
                    throw new AssertionError("seed " + seed, ex);
                } finally {
                    isDone.set(true);
                    scribbler.join();
                }
                assertThat(good.isClosed()).isFalse();
            }
        }
        assertThat(server.counters.protocolErrors()).isPositive();
    }

    private static void scribble(final UnsafeBuffer shared, final Random random) {
        final int place = random.nextInt(10);
        if (place < 3) {
            shared.putLongVolatile(TAIL, shared.getLongVolatile(TAIL) + 8L * random.nextInt(10_000));
        } else if (place < 4) {
            shared.putLongVolatile(random.nextInt(RING / 8) * 8, random.nextLong());
        } else if (place < 5) {
            shared.putLongVolatile(HEAD, random.nextInt(100_000));
        } else {
            final int index = RING + 8 * random.nextInt(RING_LENGTH / 8);
            final int part = random.nextInt(70_000) - 10;
            shared.putLong(index, Records.header(part, part + random.nextInt(2)), ByteOrder.LITTLE_ENDIAN);
        }
    }

    private void transferOnTheGoodOne(final int count) {
        final long goodId = server.connections.get(0).id();
        final int[] received = {goodCount};
        server.rule = (connection, buffer, offset, length) -> {
            if (connection.id() == goodId) {
                assertThat(IpcSide.isFrame(buffer, offset, length, received[0])).isTrue();
                received[0]++;
            }
            return true;
        };
        final int target = goodCount + count;
        IpcSide.pollUntil(
                "all arrived on the good one",
                () -> {
                    while (goodCount < target && IpcSide.send(good, goodCount)) {
                        goodCount++;
                    }
                    return received[0] == target;
                },
                server,
                client);
    }

    /** A connection whose other end is bare memory. */
    private final class Bad implements AutoCloseable {
        private final Dialler.Call call;
        private final Connection connection;

        Bad() throws IOException {
            final int count = server.connections.size();
            call = new Dialler(SystemNanoClock.INSTANCE, TransportContext.CONNECT_TIMEOUT_NS_DEFAULT).dial(endpoint);
            IpcSide.pollUntil("accepted", () -> server.connections.size() > count, server);
            connection = server.connections.get(count);
        }

        UnsafeBuffer shared() {
            return call.file().buffer();
        }

        Connection connection() {
            return connection;
        }

        @Override
        public void close() throws IOException {
            call.channel().close();
            shared().putLongVolatile(TAIL, -1);
            IpcSide.pollUntil("gone", connection::isClosed, server);
            call.file().close();
        }
    }
}
