package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.penstock.bridge.Harness;
import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.GiopBytes;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.service.BridgeCounter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes that are no GIOP, or nearly. {@code -Dpenstock.seeds=N} for a longer form. */
@Timeout(120)
class IiopFuzzTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 300);
    private static final int READ_TIMEOUT_MS = 5;

    @Test
    void shouldServeOthersAndKeepNothingWhenBytesAreMalformed() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.idleTimeoutMs = 5000;
        setup.callbackTimeoutMs = 1000;
        try (Harness harness = Harness.of(setup.config())) {
            final Ior reference = Ior.parse(harness.bridge().ior());
            for (int seed = 0; seed < SEEDS; seed++) {
                send(reference.port(), GiopBytes.malformed(new Random(seed)));
                if (seed % 50 == 0) {
                    assertServed(reference, seed);
                }
            }
            assertServed(reference, SEEDS);
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CONNECTIONS_OPEN) == 0))
                    .as("connections are closed")
                    .isTrue();
            assertThat(harness.counter(BridgeCounter.ARGUMENTS_REFUSED)).isGreaterThan(SEEDS / 4);
            assertThat(Harness.await(() -> harness.bridge().isIdle())).isTrue();
        }
    }

    private static void assertServed(final Ior reference, final int seed) throws Exception {
        try (GiopPeer peer = GiopPeer.to(reference)) {
            assertThat(peer.call(reference.key(), "echo", out -> out.octets(new byte[seed + 1]), CdrReader::octets))
                    .as("seed %d", seed)
                    .hasSize(seed + 1);
        }
    }

    private static void send(final int port, final ByteBuf bytes) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(READ_TIMEOUT_MS);
            bytes.readBytes(socket.getOutputStream(), bytes.readableBytes());
            final byte[] answer = new byte[4096];
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
