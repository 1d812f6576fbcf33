package io.penstock.transport.stream.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.Connection;
import io.penstock.transport.tls.EngineChoice;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Sides that speak TLS with each other, or with peers made by hand, and certificates for them. */
abstract class TlsScene {
    static final TestAuthority AUTHORITY = new TestAuthority("authority");
    static final TestCertificate CERTIFICATE = AUTHORITY.issue("server", "127.0.0.1");

    @TempDir
    Path folder;

    final List<TlsSide> sides = new ArrayList<>();
    int fileCount;

    @AfterEach
    void closeAll() {
        for (final TlsSide side : sides) {
            side.close();
            assertThat(side.errors).isEmpty();
        }
    }

    /** Of both sides, unless a peer is made by hand. */
    EngineChoice engine() {
        return EngineChoice.JDK;
    }

    TlsConfig defaults() {
        return TlsConfig.defaults().engine(engine());
    }

    TlsConfig own(final TestCertificate certificate) {
        final String name = "own-" + fileCount++;
        return defaults()
                .certificate(
                        certificate.writeCertificate(folder.resolve(name + ".pem")),
                        certificate.writeKey(folder.resolve(name + ".key")));
    }

    String trustOf(final TestAuthority authority) {
        return authority.writeTrust(folder.resolve("trust-" + fileCount++ + ".pem"));
    }

    TlsConfig trusting() {
        return defaults().trust(trustOf(AUTHORITY), "");
    }

    TlsSide server(final TlsConfig config) throws IOException {
        return side(TlsContexts.forServer(config, InstantSource.system()));
    }

    /** Its own clock is such that it does not see what is wrong with its certificate. */
    TlsSide server(final TestCertificate certificate, final Instant now) throws IOException {
        return side(TlsContexts.forServer(own(certificate), InstantSource.fixed(now)));
    }

    TlsSide client(final TlsConfig config) throws IOException {
        return side(TlsContexts.forClient(config, true));
    }

    TlsSide side(final TlsContexts contexts) throws IOException {
        final TlsSide side = new TlsSide(contexts);
        sides.add(side);
        return side;
    }

    static URI listen(final TlsSide server) throws IOException {
        return server.transport.listen(URI.create("tcps://127.0.0.1:0"));
    }

    static void send(final Connection connection) {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[100]);
        assertThat(connection.offer(frame, 0, 0, frame, 0, 100, 0)).isPositive();
    }

    /** Connects, and sends a frame each way. */
    static Connection exchange(final TlsSide client, final TlsSide server, final URI endpoint) throws IOException {
        final int before = server.connections.size();
        final Connection connection = client.transport.connect(endpoint);
        TlsSide.pollUntil(() -> server.connections.size() > before, client, server);
        exchange(client, server, connection);
        return connection;
    }

    static void exchange(final TlsSide client, final TlsSide server, final Connection connection) {
        final int frames = server.frameCount;
        send(connection);
        TlsSide.pollUntil(() -> server.frameCount > frames, client, server);
    }

    /** A socket of the JDK that trusts the authority; its handshake goes on while the server is polled. */
    SSLSocket peer(final URI endpoint, final TlsSide server) throws Exception {
        final KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", AUTHORITY.certificate());
        final TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(trusted);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        final int before = server.connections.size();
        final CompletableFuture<SSLSocket> connected = CompletableFuture.supplyAsync(() -> {
            try {
                final SSLSocket socket =
                        (SSLSocket) context.getSocketFactory().createSocket(endpoint.getHost(), endpoint.getPort());
                socket.startHandshake();
                return socket;
            } catch (final IOException e) {
                throw new AssertionError(e);
            }
        });
        TlsSide.pollUntil(() -> server.connections.size() > before || connected.isCompletedExceptionally(), server);
        return connected.join();
    }

    static TestCertificate longer(final TestCertificate certificate, final int count) {
        final List<X509Certificate> chain = new ArrayList<>(certificate.chain());
        for (int i = 0; i < count; i++) {
            // Each seems to have signed the one before.
            chain.add(new TestAuthority("authority").certificate());
        }
        return new TestCertificate(chain, certificate.key());
    }
}
