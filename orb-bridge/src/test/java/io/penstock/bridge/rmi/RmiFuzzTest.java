package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.RmiConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes that are no RMI, or nearly. {@code -Dpenstock.seeds=N} for a longer form. */
@Timeout(120)
class RmiFuzzTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 200);
    private static final int READ_TIMEOUT_MS = 20;

    @Test
    void shouldServeOthersAndKeepNoConnectionWhenBytesAreMalformed() throws Exception {
        final RmiConfig rmi =
                new RmiConfig(0, "127.0.0.1", "", 512, 1024, 16, 5000, List.of(), false, false);
        try (Harness harness = Harness.of(BridgeConfig.defaults().rmi(rmi))) {
            final PenstockBroker broker = harness.lookup();
            for (int seed = 0; seed < SEEDS; seed++) {
                send(harness.port(), malformed(new Random(seed)));
                if (seed % 50 == 0) {
                    assertThat(broker.echo(new byte[seed + 1]))
                            .as("seed %d", seed)
                            .hasSize(seed + 1);
                }
            }

            assertThat(broker.echo(new byte[7])).hasSize(7);
            assertThat(harness.lookup().echo(new byte[7])).hasSize(7);
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CONNECTIONS_OPEN) <= 1))
                    .as("connections are closed")
                    .isTrue();
        }
    }

    private static byte[] malformed(final Random random) throws IOException {
        final byte[] bytes = random.nextBoolean() ? lookup() : call();
        if (random.nextInt(8) == 0) {
            random.nextBytes(bytes);
        }
        final int changes = 1 + random.nextInt(6);
        for (int i = 0; i < changes; i++) {
            // The first seven bytes are what makes it RMI.
            final int at = random.nextInt(10) == 0 ? random.nextInt(7) : 7 + random.nextInt(bytes.length - 7);
            bytes[at] = (byte) random.nextInt(256);
        }
        return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    }

    private static byte[] lookup() throws IOException {
        return RawCall.lookup(PenstockBroker.NAME);
    }

    private static byte[] call() throws IOException {
        return RawCall.message(77, -1, 123456789L, Publication.of("t", "{}".getBytes(StandardCharsets.UTF_8)));
    }

    private static void send(final int port, final byte[] bytes) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(READ_TIMEOUT_MS);
            socket.getOutputStream().write(bytes);
            final byte[] answer = new byte[256];
            int count = 0;
            // Until it closes, or waits for more.
            while (count >= 0) {
                count = socket.getInputStream().read(answer);
            }
        } catch (final IOException e) {
            // Closed, or waiting: both are right.
            return;
        }
    }
}
