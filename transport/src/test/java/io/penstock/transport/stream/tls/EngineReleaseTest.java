package io.penstock.transport.stream.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.Connection;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.EngineChoice;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.openssl.NettyEngineProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Native engines are freed once, in whichever way their connections end. */
@EnabledIf(
        value = "io.penstock.transport.tls.openssl.NettyEngineProvider#canBeUsed",
        disabledReason = "netty-tcnative is not there")
class EngineReleaseTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("authority");
    private static final TestAuthority STRANGER = new TestAuthority("stranger");

    @TempDir
    Path folder;

    private final List<TlsSide> sides = new ArrayList<>();
    private TlsContexts serverContexts;
    private TlsSide server;
    private URI endpoint;
    private int fileCount;

    @BeforeEach
    void listen() throws IOException {
        // What other tests began to listen with may not be done with its own engines.
        TlsSide.pollUntil(() -> NettyEngineProvider.engineCount() == 0);
        serverContexts = TlsContexts.forServer(
                own(AUTHORITY.issue("server", "127.0.0.1"))
                        .clientCertificates(ClientCertificates.OPTIONAL)
                        .handshakeTimeoutMs(60_000),
                InstantSource.system());
        server = side(serverContexts);
        endpoint = server.transport.listen(URI.create("tcps://127.0.0.1:0"));
    }

    private TlsConfig own(final TestCertificate certificate) {
        final String name = "own-" + fileCount++;
        return trusting()
                .certificate(
                        certificate.writeCertificate(folder.resolve(name + ".pem")),
                        certificate.writeKey(folder.resolve(name + ".key")));
    }

    private TlsConfig trusting() {
        return TlsConfig.defaults()
                .engine(EngineChoice.NATIVE)
                .trust(AUTHORITY.writeTrust(folder.resolve("trust.pem")), "");
    }

    private TlsSide side(final TlsContexts contexts) throws IOException {
        final TlsSide side = new TlsSide(contexts);
        sides.add(side);
        return side;
    }

    private TlsSide client(final TlsConfig config) throws IOException {
        return side(TlsContexts.forClient(config, true));
    }

    private Connection connect(final TlsSide client) throws IOException {
        final int before = server.connections.size();
        final Connection connection = client.transport.connect(endpoint);
        TlsSide.pollUntil(() -> server.connections.size() > before, client, server);
        return connection;
    }

    /** Whatever a test has left, and what a side does when it begins to listen, ends. */
    @AfterEach
    void shouldHaveReleasedAll() {
        sides.forEach(TlsSide::close);
        TlsSide.pollUntil(() -> NettyEngineProvider.engineCount() == 0);
    }

    private void assertReleases(final TlsSide... polled) {
        TlsSide.pollUntil(() -> NettyEngineProvider.engineCount() == 0, polled);
    }

    @Test
    void shouldReleaseBothWhenOneSideCloses() throws IOException {
        final TlsSide client = client(trusting());
        for (int i = 0; i < 3; i++) {
            final Connection connection = connect(client);
            assertThat(NettyEngineProvider.engineCount()).isGreaterThanOrEqualTo(2);
            connection.close();
            assertReleases(client, server);
        }
    }

    @Test
    void shouldReleaseBothWhenAPeerIsNotTrusted() throws IOException {
        final TlsSide client = client(own(AUTHORITY.issue("ann")));
        final TlsSide stranger = side(TlsContexts.forClient(
                TlsConfig.defaults()
                        .engine(EngineChoice.NATIVE)
                        .trust(STRANGER.writeTrust(folder.resolve("stranger.pem")), ""),
                true));
        connect(client).close();
        stranger.transport.connect(endpoint);
        TlsSide.pollUntil(() -> !stranger.ends.isEmpty() && !server.refusals.isEmpty(), server, stranger);

        assertReleases(client, server, stranger);
    }

    @Test
    void shouldReleaseWhenAPeerSendsGarbageOrGoes() throws IOException {
        final byte[][] beginnings = {{22, 3, 1, 0, 4, 1, 0, 0, 0}, {22, 3, 1, 0, 9}, {60, 1}};
        for (int i = 0; i < beginnings.length; i++) {
            final int count = i + 1;
            try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), endpoint.getPort())) {
                peer.getOutputStream().write(beginnings[i]);
                peer.shutdownOutput();
                TlsSide.pollUntil(() -> server.refusals.size() == count, server);
            }
        }
        assertReleases(server);
    }

    @Test
    void shouldReleaseWhenAPeerIsTooSlow() throws IOException {
        final TlsSide impatient = side(TlsContexts.forServer(
                own(AUTHORITY.issue("server", "127.0.0.1")).handshakeTimeoutMs(100), InstantSource.system()));
        final URI there = impatient.transport.listen(URI.create("tcps://127.0.0.1:0"));
        try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), there.getPort())) {
            peer.getOutputStream().write(new byte[] {22, 3, 1, 0, 9});
            TlsSide.pollUntil(() -> !impatient.refusals.isEmpty(), impatient);
        }
        assertReleases(impatient);
    }

    @Test
    void shouldReleaseWhenATransportIsClosed() throws IOException {
        final TlsSide client = client(trusting());
        connect(client);
        connect(client);
        client.transport.connect(endpoint);
        client.transport.poll(1);
        server.close();
        client.close();

        assertReleases();
    }

    /** The thread that computes frees it then. */
    @Test
    void shouldReleaseOnceWhenATransportIsClosedWhileAThreadComputes() throws IOException {
        TlsSide.pollUntil(() -> NettyEngineProvider.engineCount() == 0);
        final CountDownLatch go = new CountDownLatch(1);
        final int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 4);
        for (int i = 0; i < threads; i++) {
            serverContexts.tasks().execute(() -> waitFor(go));
        }
        final TlsSide client = client(trusting());
        client.transport.connect(endpoint);
        // Both ends have an engine, and the server's has got what the client says first.
        TlsSide.pollUntil(() -> NettyEngineProvider.engineCount() == 2, client, server);
        for (int i = 0; i < 100; i++) {
            client.transport.poll(1);
            server.transport.poll(1);
        }
        server.close();
        client.close();
        go.countDown();

        assertReleases();
    }

    @Test
    void shouldReleaseWhenThereAreTooManyHandshakesToCompute() throws IOException {
        TlsSide.pollUntil(() -> NettyEngineProvider.engineCount() == 0);
        final CountDownLatch go = new CountDownLatch(1);
        final int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 4);
        final AtomicInteger started = new AtomicInteger();
        // A thread that was still at a task of before takes one of these then, and leaves room for another one.
        do {
            fill(started, go);
        } while (started.get() < threads);
        fill(started, go);
        final TlsSide client = client(trusting());
        client.transport.connect(endpoint);
        TlsSide.pollUntil(() -> !server.refusals.isEmpty(), client, server);
        go.countDown();

        assertThat(server.refusals).singleElement().asString().contains("too many handshakes at once");
        client.close();
        assertReleases(server);
    }

    private void fill(final AtomicInteger started, final CountDownLatch go) {
        assertThatThrownBy(() -> {
                    while (true) {
                        serverContexts.tasks().execute(() -> {
                            started.incrementAndGet();
                            waitFor(go);
                        });
                    }
                })
                .isInstanceOf(RejectedExecutionException.class);
    }

    private static void waitFor(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
