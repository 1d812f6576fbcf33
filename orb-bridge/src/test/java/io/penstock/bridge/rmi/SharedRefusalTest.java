package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.RmiConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.chunk.ChunkFrame;
import io.penstock.orb.chunk.ChunkHello;
import io.penstock.orb.pool.PoolConfig;
import io.penstock.orb.pool.PooledSocketFactory;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames that a pool would not send, to a bridge. {@code -Dpenstock.seeds=N} for a longer form. */
@Timeout(120)
class SharedRefusalTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 100);
    private static final int IDLE_TIMEOUT_MS = 5000;
    private static final int ANSWERS = 80;
    private static final int LENGTH = 200_000;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0900000000000000         | chunk frame: unknown type: 9 (the connection is closed)
                    0200000300000001000000   | chunk frame: wrong length for its type 2: 3 (the connection is closed)
                    010300010000000161       | chunk: stream 1 cannot end its turn: this side answers (the connection is closed)
                    01010001000000014a01010001000000014a | chunk: stream 1 cannot begin: it is there already (the connection is closed)
                    """)
    void shouldSayWhyAndServeOthersWhenAFrameIsWrong(final String frame, final String reason) throws Exception {
        try (Harness harness = harness(60_000);
                PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults())) {
            final PenstockBroker broker = pool.lookup("127.0.0.1", harness.port());
            try (Socket socket = greeted(harness.port())) {
                socket.getOutputStream().write(HexFormat.of().parseHex(frame.strip()));

                assertThat(closeReason(socket)).isEqualTo(reason);
                assertThat(socket.getInputStream().read()).isNegative();
            }

            assertThat(broker.echo(new byte[7])).hasSize(7);
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.SHARED_CONNECTIONS_OPEN) == 1))
                    .isTrue();
        }
    }

    private static String closeReason(final Socket socket) throws IOException {
        final DataInputStream in = new DataInputStream(socket.getInputStream());
        while (true) {
            final int type = in.readByte();
            in.readByte();
            final byte[] payload = new byte[in.readUnsignedShort()];
            in.readInt();
            in.readFully(payload);
            if (type == ChunkFrame.CLOSE) {
                return new String(payload, StandardCharsets.UTF_8);
            }
        }
    }

    private static void sendMalformed(final int port, final Random random) {
        try (Socket socket = greeted(port)) {
            socket.getOutputStream().write(malformed(random));
        } catch (final IOException e) {
            // It was closed already.
            return;
        }
    }

    @Test
    void shouldServeOthersAndKeepNothingWhenFramesAreMalformed() throws Exception {
        try (Harness harness = harness(IDLE_TIMEOUT_MS);
                PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults())) {
            final PenstockBroker broker = pool.lookup("127.0.0.1", harness.port());
            for (int seed = 0; seed < SEEDS; seed++) {
                sendMalformed(harness.port(), new Random(seed));
            }

            assertThat(broker.echo(new byte[7])).hasSize(7);
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.SHARED_CONNECTIONS_OPEN) <= 1))
                    .as("connections are closed")
                    .isTrue();
        }
    }

    private static byte[] malformed(final Random random) throws IOException {
        final byte[] call = RawCall.lookup(PenstockBroker.NAME);
        final byte[] bytes = framed(1 + random.nextInt(3), call, 0, call.length, ChunkFrame.BEGIN);
        for (int i = random.nextInt(6); i >= 0; i--) {
            bytes[random.nextInt(random.nextBoolean() ? ChunkFrame.HEADER_LENGTH : bytes.length)] =
                    (byte) random.nextInt(256);
        }
        return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    }

    /** Answers that the client does not take are on their way, whoever writes them. */
    @Test
    void shouldNotBeIdleWhenAnswersOfASharedConnectionAreNotTaken() throws Exception {
        try (Harness harness = harness(60_000)) {
            final byte[] call = RawCall.of(harness.lookup(), "echo", new byte[LENGTH]);
            assertThat(Harness.await(() -> harness.bridge().isIdle())).isTrue();
            try (Socket socket = greeted(harness.port())) {
                for (int id = 1; id <= ANSWERS; id++) {
                    for (int at = 0; at < call.length; at += ChunkFrame.PAYLOAD_LENGTH_MAX) {
                        final int length = Math.min(ChunkFrame.PAYLOAD_LENGTH_MAX, call.length - at);
                        socket.getOutputStream().write(framed(id, call, at, length, at == 0 ? ChunkFrame.BEGIN : 0));
                    }
                }

                assertThat(Harness.await(() -> !harness.bridge().isIdle())).isTrue();
            }
            assertThat(Harness.await(() -> harness.bridge().isIdle())).isTrue();
        }
    }

    private static Harness harness(final int idleTimeoutMs) {
        final RmiConfig rmi =
                new RmiConfig(0, "127.0.0.1", "", 512, 1024, 16, idleTimeoutMs, List.of(), false, false);
        return Harness.of(BridgeConfig.defaults().rmi(rmi));
    }

    private static Socket greeted(final int port) throws IOException {
        final Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout(20_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.getOutputStream().write(new ChunkHello(ChunkFrame.LENGTH_MAX, 16 << 20, 1024, 0).bytes());
        new DataInputStream(socket.getInputStream()).readFully(new byte[ChunkHello.LENGTH]);
        return socket;
    }

    private static byte[] framed(
            final int stream, final byte[] bytes, final int offset, final int length, final int flags)
            throws IOException {
        final java.io.ByteArrayOutputStream frame = new java.io.ByteArrayOutputStream();
        final DataOutputStream out = new DataOutputStream(frame);
        out.writeByte(ChunkFrame.DATA);
        out.writeByte(flags);
        out.writeShort(length);
        out.writeInt(stream);
        out.write(bytes, offset, length);
        return frame.toByteArray();
    }
}
