package io.penstock.transport.stream.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.transport.Connection;
import io.penstock.transport.tls.EmptyRecords;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that break the rules of TLS, or stop in the midst of it, and lose their connection; and one that is served all the while. */
class TlsPeersTest extends TlsScene {
    @Test
    void shouldRefuseAnotherHandshakeWhenTheFirstOneIsDone() throws Exception {
        final TlsSide server = server(own(CERTIFICATE).protocols(List.of("TLSv1.2"), List.of()));
        final URI endpoint = listen(server);
        final CompletableFuture<?> again;
        try (SSLSocket peer = peer(endpoint, server)) {
            again = CompletableFuture.runAsync(() -> restart(peer, 1));
            TlsSide.pollUntil(() -> !server.ends.isEmpty(), server);

            assertThat(server.ends).singleElement().asString().contains("another handshake, which is not allowed");
            assertThat(server.counters.protocolErrors()).isEqualTo(1);
        }
        again.exceptionally(e -> null).join();
    }

    @Test
    void shouldAnswerUpdatesOfKeysAndEndTheConnectionWhenThereAreTooMany() throws Exception {
        final TlsSide server = server(own(CERTIFICATE));
        final TlsSide client = client(trusting());
        final URI endpoint = listen(server);
        final Connection served = exchange(client, server, endpoint);
        final CompletableFuture<?> flood;
        try (SSLSocket peer = peer(endpoint, server)) {
            restart(peer, EmptyRecords.COUNT_MAX / 4);
            peer.getOutputStream().write(new byte[] {1, 0, 0, 0, 7});
            TlsSide.pollUntil(() -> server.frameCount == 2, server);
            assertThat(server.ends).isEmpty();

            flood = CompletableFuture.runAsync(() -> restart(peer, 10_000));
            TlsSide.pollUntil(() -> !server.ends.isEmpty(), server);
            assertThat(server.ends).singleElement().asString().contains("too many updates of keys");
            assertThat(server.counters.protocolErrors()).isEqualTo(1);
        }
        flood.exceptionally(e -> null).join();
        exchange(client, server, served);
    }

    /** With TLS 1.3 an update of keys each time. */
    private static void restart(final SSLSocket peer, final int count) {
        try {
            for (int i = 0; i < count; i++) {
                peer.startHandshake();
                peer.getOutputStream().flush();
            }
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldRefusePeerWhenItDoesNotSpeakTls() throws IOException {
        assertRefusesBytes(new byte[] {60, 0, 0, 0, 1, 2, 3, 4, 5}, "does not speak TLS");
    }

    @Test
    void shouldRefusePeerWhenItsRecordIsLongerThanTlsAllows() throws IOException {
        assertRefusesBytes(new byte[] {22, 3, 1, 0x7F, 0, 1, 2, 3}, "longer than TLS allows: 32512");
    }

    @Test
    void shouldRefusePeerWhenItsHelloIsGarbage() throws IOException {
        assertRefusesBytes(new byte[] {22, 3, 1, 0, 4, 1, 0, 0, 0}, "(");
    }

    private void assertRefusesBytes(final byte[] bytes, final String reason) throws IOException {
        final TlsSide server = server(own(CERTIFICATE));
        final TlsSide client = client(trusting());
        final URI endpoint = listen(server);
        final Connection served = exchange(client, server, endpoint);
        try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), endpoint.getPort())) {
            peer.getOutputStream().write(bytes);
            TlsSide.pollUntil(() -> !server.refusals.isEmpty(), server);
        }
        assertThat(server.refusals).singleElement().asString().contains(reason);
        assertThat(server.counters.handshakesFailed()).isEqualTo(1);
        exchange(client, server, served);
    }

    /** At each byte of what a client says first. */
    @Test
    void shouldRefusePeerWhenItsHelloIsCutOff() throws Exception {
        final TlsSide server = server(own(CERTIFICATE));
        final TlsSide client = client(trusting());
        final URI endpoint = listen(server);
        final Connection served = exchange(client, server, endpoint);
        final byte[] hello = hello();
        for (int length = 0; length < hello.length; length++) {
            try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), endpoint.getPort())) {
                peer.getOutputStream().write(hello, 0, length);
                peer.shutdownOutput();
                final int count = length + 1;
                TlsSide.pollUntil(() -> server.refusals.size() == count, server);
            }
        }
        assertThat(server.refusals).allMatch(reason -> reason.contains("closed by the peer during the handshake"));
        assertThat(server.counters.handshakesFailed()).isEqualTo(hello.length);
        assertThat(server.connections).hasSize(1);
        exchange(client, server, served);
    }

    /** What it has sent before its good-bye is read; then the connection ends, though it is not closed. */
    @Test
    void shouldEndConnectionWhenAPeerSaysGoodByeAndDoesNotClose() throws Exception {
        final TlsSide server = server(own(CERTIFICATE));
        final TlsSide client = client(trusting());
        final URI endpoint = listen(server);
        final Connection served = exchange(client, server, endpoint);
        try (SSLSocket peer = peer(endpoint, server)) {
            peer.getOutputStream().write(new byte[] {1, 0, 0, 0, 7});
            peer.shutdownOutput();
            TlsSide.pollUntil(() -> !server.ends.isEmpty(), server);
            assertThat(server.frameCount).isEqualTo(2);
            assertThat(server.ends)
                    .singleElement()
                    .asString()
                    .contains("closed by peer")
                    .doesNotContain("without a word");
            assertThat(peer.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(server.counters.protocolErrors()).isZero();
        exchange(client, server, served);
    }

    @Test
    void shouldSaySoWhenAPeerClosesWithoutGoodBye() throws Exception {
        final TlsSide server = server(own(CERTIFICATE));
        final TlsSide client = client(trusting());
        final URI endpoint = listen(server);
        final Connection served = exchange(client, server, endpoint);
        try (Socket raw = new Socket(InetAddress.getLoopbackAddress(), endpoint.getPort())) {
            final SSLSocket peer = over(raw, server);
            peer.getOutputStream().write(new byte[] {1, 0, 0, 0, 7});
            raw.shutdownOutput();
            TlsSide.pollUntil(() -> !server.ends.isEmpty(), server);
        }
        assertThat(server.frameCount).isEqualTo(2);
        assertThat(server.ends).singleElement().asString().contains("closed by peer without a word");
        exchange(client, server, served);
    }

    /** The same of a server, as its client hears it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndConnectionWhenAServerClosesItsDirection(final boolean isPolite) throws Exception {
        final TlsSide client = client(trusting());
        final TlsContexts contexts = TlsContexts.forServer(own(CERTIFICATE), InstantSource.system());
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            client.transport.connect(URI.create("tcps://127.0.0.1:" + listening.getLocalPort()));
            try (Socket raw = listening.accept()) {
                final SSLSocket peer = contexts.serverSocket(raw);
                final CompletableFuture<?> handshake = CompletableFuture.runAsync(() -> start(peer));
                TlsSide.pollUntil(handshake::isDone, client);
                handshake.join();
                if (isPolite) {
                    peer.shutdownOutput();
                } else {
                    raw.shutdownOutput();
                }
                TlsSide.pollUntil(() -> !client.ends.isEmpty(), client);
            }
        }
        assertThat(client.ends).singleElement().asString().contains("closed by peer");
        assertThat(client.ends.get(0).contains("without a word")).isEqualTo(!isPolite);
    }

    private static void start(final SSLSocket peer) {
        try {
            peer.startHandshake();
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    /** TLS on a socket; its handshake is done. */
    private SSLSocket over(final Socket raw, final TlsSide server) throws Exception {
        final int before = server.connections.size();
        final SSLSocket peer = (SSLSocket) TlsContexts.forClient(trusting(), false)
                .context()
                .getSocketFactory()
                .createSocket(raw, "127.0.0.1", raw.getPort(), true);
        final CompletableFuture<?> handshake = CompletableFuture.runAsync(() -> start(peer));
        TlsSide.pollUntil(() -> server.connections.size() > before || handshake.isCompletedExceptionally(), server);
        handshake.join();
        return peer;
    }

    private static byte[] hello() throws Exception {
        final SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        final ByteBuffer record = ByteBuffer.allocate(32 * 1024);
        engine.wrap(ByteBuffer.allocate(0), record);
        final byte[] bytes = new byte[record.position()];
        record.flip().get(bytes);
        return bytes;
    }

    @Test
    void shouldServeOthersWhenPeersSendGarbage() throws Exception {
        final TlsSide server = server(own(CERTIFICATE));
        final TlsSide client = client(trusting());
        final URI endpoint = listen(server);
        final Connection served = exchange(client, server, endpoint);
        final Random random = new Random(7);
        final byte[] hello = hello();
        for (int i = 0; i < 40; i++) {
            try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), endpoint.getPort())) {
                final byte[] changed = hello.clone();
                for (int k = 0; k <= i % 5; k++) {
                    changed[5 + random.nextInt(changed.length - 5)] = (byte) random.nextInt();
                }
                peer.getOutputStream().write(changed);
                exchange(client, server, served);
            }
        }
        TlsSide.pollUntil(() -> server.refusals.size() == 40, server);
        assertThat(server.connections).hasSize(1);
        assertThat(server.counters.handshakesFailed()).isEqualTo(40);
        exchange(client, server, served);
    }

    @Test
    void shouldRefusePeerWhenItSaysNothingInTime() throws IOException {
        final TlsSide server = server(own(CERTIFICATE).handshakeTimeoutMs(100));
        try (Socket peer =
                new Socket(InetAddress.getLoopbackAddress(), listen(server).getPort())) {
            assertThat(peer.isConnected()).isTrue();
            TlsSide.pollUntil(() -> !server.refusals.isEmpty(), server);
        }
        assertThat(server.refusals).singleElement().asString().contains("not done within 100 ms");
    }

    @Test
    void shouldFailClientWhenServerSaysNothingInTime() throws IOException {
        final TlsSide client = client(trusting().handshakeTimeoutMs(100));
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            client.transport.connect(URI.create("tcps://127.0.0.1:" + silent.getLocalPort()));
            TlsSide.pollUntil(() -> !client.ends.isEmpty(), client);
        }
        assertThat(client.ends).singleElement().asString().contains("not done within 100 ms");
    }

    @Test
    void shouldFailClientWhenServerDoesNotSpeakTls() throws IOException {
        final TlsSide client = client(trusting());
        try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            client.transport.connect(URI.create("tcps://127.0.0.1:" + plain.getLocalPort()));
            try (Socket accepted = plain.accept()) {
                accepted.getOutputStream().write(new byte[] {16, 0, 0, 0, 1, 2, 3, 4});
                TlsSide.pollUntil(() -> !client.ends.isEmpty(), client);
            }
        }
        assertThat(client.ends).singleElement().asString().contains("does not speak TLS");
    }
}
