package io.penstock.transport.stream.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.Connection;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.EmptyRecords;
import io.penstock.transport.tls.EngineChoice;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.TlsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that do not get a connection, or lose it, and why; and one that is served all the while. */
class TlsRefusalTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("authority");
    private static final TestAuthority STRANGER = new TestAuthority("stranger");
    private static final TestCertificate CERTIFICATE = AUTHORITY.issue("server", "127.0.0.1");

    @TempDir
    Path folder;

    private final List<TlsSide> sides = new ArrayList<>();
    private int fileCount;

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

    private TlsConfig defaults() {
        return TlsConfig.defaults().engine(engine());
    }

    private TlsConfig own(final TestCertificate certificate) {
        final String name = "own-" + fileCount++;
        return defaults()
                .certificate(
                        certificate.writeCertificate(folder.resolve(name + ".pem")),
                        certificate.writeKey(folder.resolve(name + ".key")));
    }

    private String trustOf(final TestAuthority authority) {
        return authority.writeTrust(folder.resolve("trust-" + fileCount++ + ".pem"));
    }

    private TlsConfig trusting() {
        return defaults().trust(trustOf(AUTHORITY), "");
    }

    private TlsSide server(final TlsConfig config) throws IOException {
        return side(TlsContexts.forServer(config, InstantSource.system()));
    }

    /** Its own clock is such that it does not see what is wrong with its certificate. */
    private TlsSide server(final TestCertificate certificate, final Instant now) throws IOException {
        return side(TlsContexts.forServer(own(certificate), InstantSource.fixed(now)));
    }

    private TlsSide client(final TlsConfig config) throws IOException {
        return side(TlsContexts.forClient(config, true));
    }

    private TlsSide side(final TlsContexts contexts) throws IOException {
        final TlsSide side = new TlsSide(contexts);
        sides.add(side);
        return side;
    }

    private static URI listen(final TlsSide server) throws IOException {
        return server.transport.listen(URI.create("tcps://127.0.0.1:0"));
    }

    private static void send(final Connection connection) {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[100]);
        assertThat(connection.offer(frame, 0, 0, frame, 0, 100, 0)).isPositive();
    }

    /** Connects, and sends a frame each way. */
    private static Connection exchange(final TlsSide client, final TlsSide server, final URI endpoint)
            throws IOException {
        final int before = server.connections.size();
        final Connection connection = client.transport.connect(endpoint);
        TlsSide.pollUntil(() -> server.connections.size() > before, client, server);
        exchange(client, server, connection);
        return connection;
    }

    private static void exchange(final TlsSide client, final TlsSide server, final Connection connection) {
        final int frames = server.frameCount;
        send(connection);
        TlsSide.pollUntil(() -> server.frameCount > frames, client, server);
    }

    private void assertClientRefuses(final TlsSide server, final TlsSide client, final String reason)
            throws IOException {
        client.transport.connect(listen(server));
        TlsSide.pollUntil(() -> !client.ends.isEmpty() && !server.refusals.isEmpty(), client, server);

        assertThat(client.ends).singleElement().asString().contains(reason);
        if (engine() == EngineChoice.NATIVE) {
            // The JDK does not say so of all reasons.
            assertThat(server.refusals).singleElement().asString().contains("certificate of this side");
        }
        assertThat(server.connections).isEmpty();
        assertThat(server.counters.handshakesFailed()).isEqualTo(1);
        assertThat(client.counters.handshakesFailed()).isEqualTo(1);
    }

    @Test
    void shouldTellWhoThePeerIsWhenItIsTrusted() throws IOException {
        final TlsSide server =
                server(own(CERTIFICATE).trust(trustOf(AUTHORITY), "").clientCertificates(ClientCertificates.REQUIRED));
        final TestCertificate ann = AUTHORITY.issue("ann");
        final TlsSide client = client(own(ann).trust(trustOf(AUTHORITY), ""));

        final Connection connection = exchange(client, server, listen(server));

        assertThat(connection.peerIdentity().isEncrypted()).isTrue();
        assertThat(connection.peerIdentity().certificates()).isEqualTo(CERTIFICATE.chain());
        assertThat(server.connections.get(0).peerIdentity().certificates()).isEqualTo(ann.chain());
        assertThat(server.counters.handshakes()).isEqualTo(1);
    }

    @Test
    void shouldRefuseServerWhenItsCertificateHasExpired() throws IOException {
        final Instant now = Instant.now();
        final TestCertificate old =
                AUTHORITY.issue("old", now.minus(Duration.ofDays(9)), now.minus(Duration.ofDays(1)), "127.0.0.1");
        assertClientRefuses(server(old, now.minus(Duration.ofDays(5))), client(trusting()), "has expired (renew it)");
    }

    @Test
    void shouldRefuseServerWhenItsCertificateIsNotValidYet() throws IOException {
        final Instant now = Instant.now();
        final TestCertificate early =
                AUTHORITY.issue("early", now.plus(Duration.ofDays(1)), now.plus(Duration.ofDays(9)), "127.0.0.1");
        assertClientRefuses(
                server(early, now.plus(Duration.ofDays(5))),
                client(trusting()),
                "is not valid yet (correct the clocks");
    }

    @Test
    void shouldRefuseServerWhenItsCertificateIsForAnotherHost() throws IOException {
        assertClientRefuses(
                server(own(AUTHORITY.issue("other", "broker.example"))), client(trusting()), "is for another host");
    }

    @Test
    void shouldTakeServerOfAnotherHostWhenTheHostIsNotChecked() throws IOException {
        final TlsSide server = server(own(AUTHORITY.issue("other", "broker.example")));
        final TlsSide client = side(TlsContexts.forClient(trusting(), false));

        exchange(client, server, listen(server));
    }

    @Test
    void shouldRefuseServerWhenItHasSignedItself() throws IOException {
        assertClientRefuses(
                server(own(TestAuthority.selfSigned("self", "127.0.0.1"))),
                client(trusting()),
                "signed by nobody who is trusted here");
    }

    @Test
    void shouldRefuseServerWhenItsAuthorityIsUnknown() throws IOException {
        assertClientRefuses(
                server(own(STRANGER.issue("server", "127.0.0.1"))),
                client(trusting()),
                "signed by nobody who is trusted here");
    }

    @Test
    void shouldRefuseServerWhenOnlyTheJdksAuthoritiesAreTrusted() throws IOException {
        assertClientRefuses(
                server(own(CERTIFICATE)), client(defaults()), "signed by nobody who is trusted here");
    }

    @Test
    void shouldRefuseClientWhenItHasNoCertificateAndOneIsRequired() throws IOException {
        assertServerRefuses(trusting(), "one is required", "wants a certificate of this side");
    }

    @Test
    void shouldRefuseClientWhenItsAuthorityIsUnknown() throws IOException {
        assertServerRefuses(
                own(STRANGER.issue("mallory")).trust(trustOf(AUTHORITY), ""),
                "the peer has no certificate, and one is required",
                "wants a certificate of this side");
    }

    /** The JDK does not even send a certificate of an authority with another name. */
    @Test
    void shouldRefuseClientWhenItsAuthorityOnlyHasTheNameOfATrustedOne() throws IOException {
        assertServerRefuses(
                own(new TestAuthority("authority").issue("mallory")).trust(trustOf(AUTHORITY), ""),
                "signed by nobody who is trusted here",
                "the peer");
    }

    @Test
    void shouldRefuseClientWhenItsCertificateHasExpired() throws IOException {
        final Instant now = Instant.now();
        final TestCertificate old = AUTHORITY.issue("old", now.minus(Duration.ofDays(9)), now.minusSeconds(60));
        final TlsSide client = side(TlsContexts.forServer(
                own(old).trust(trustOf(AUTHORITY), ""), InstantSource.fixed(now.minus(Duration.ofDays(5)))));
        assertServerRefuses(client, "has expired", "the certificate of this side");
    }

    private void assertServerRefuses(final TlsConfig client, final String reason, final String toClient)
            throws IOException {
        assertServerRefuses(client(client), reason, toClient);
    }

    /** Beside a client that is served. */
    private void assertServerRefuses(final TlsSide bad, final String reason, final String toClient) throws IOException {
        final TlsSide server =
                server(own(CERTIFICATE).trust(trustOf(AUTHORITY), "").clientCertificates(ClientCertificates.REQUIRED));
        final URI endpoint = listen(server);
        final TlsSide good = client(own(AUTHORITY.issue("good")).trust(trustOf(AUTHORITY), ""));
        final Connection served = exchange(good, server, endpoint);

        bad.transport.connect(endpoint);
        TlsSide.pollUntil(() -> !server.refusals.isEmpty() && !bad.ends.isEmpty(), server, bad, good);

        assertThat(server.refusals).singleElement().asString().contains(reason);
        assertThat(bad.ends).singleElement().asString().contains(toClient);
        assertThat(server.connections).hasSize(1);
        assertThat(server.counters.handshakesFailed()).isEqualTo(1);
        exchange(good, server, served);
    }

    @Test
    void shouldTakeClientWithoutCertificateWhenItIsOptional() throws IOException {
        final TlsSide server =
                server(own(CERTIFICATE).trust(trustOf(AUTHORITY), "").clientCertificates(ClientCertificates.OPTIONAL));

        exchange(client(trusting()), server, listen(server));

        assertThat(server.connections.get(0).peerIdentity().certificates()).isEmpty();
        assertThat(server.connections.get(0).peerIdentity().isEncrypted()).isTrue();
    }

    @Test
    void shouldRefuseClientWhenItSpeaksAnOlderVersion() throws IOException {
        final TlsSide server = server(own(CERTIFICATE));
        final TlsSide client = client(trusting().protocols(List.of("TLSv1.2"), List.of()));
        final URI endpoint = listen(server);

        client.transport.connect(endpoint);
        TlsSide.pollUntil(() -> !server.refusals.isEmpty() && !client.ends.isEmpty(), server, client);

        assertThat(server.refusals).singleElement().asString().contains("no version of TLS in common");
        assertThat(client.ends).singleElement().asString().contains("no version of TLS in common");
    }

    @Test
    void shouldSpeakAnOlderVersionWhenBothAreAllowedTo() throws IOException {
        final List<String> both = List.of("TLSv1.3", "TLSv1.2");
        final TlsSide server = server(own(CERTIFICATE).protocols(both, List.of()));
        final TlsSide client = client(trusting().protocols(List.of("TLSv1.2"), List.of()));

        exchange(client, server, listen(server));
    }

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

    /** A socket of the JDK that trusts the authority; its handshake goes on while the server is polled. */
    private SSLSocket peer(final URI endpoint, final TlsSide server) throws Exception {
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

    /** More than any JDK allows: 8 of a client, 10 of a server, or 10 of both. */
    @Test
    void shouldRefuseEitherSideWhenItSendsTooManyCertificates() throws IOException {
        final TestCertificate ann = AUTHORITY.issue("ann");
        assertServerRefuses(
                own(longer(ann, 10)).trust(trustOf(AUTHORITY), ""), "more certificates than are allowed", "the peer");
        closeAll();
        sides.clear();
        assertClientRefuses(
                server(own(longer(CERTIFICATE, 10))), client(trusting()), "more certificates than are allowed");
    }

    /** Shorter than the limit in number, and longer than a message of a handshake may be. */
    @Test
    void shouldRefuseClientWhenItsCertificatesAreTooLong() throws IOException {
        final String[] names = new String[1200];
        for (int i = 0; i < names.length; i++) {
            names[i] = "a-name-that-is-not-short-" + i + ".example";
        }
        assertServerRefuses(own(AUTHORITY.issue("ann", names)).trust(trustOf(AUTHORITY), ""), "(", "the peer");
    }

    private static TestCertificate longer(final TestCertificate certificate, final int count) {
        final List<X509Certificate> chain = new ArrayList<>(certificate.chain());
        for (int i = 0; i < count; i++) {
            // Each seems to have signed the one before.
            chain.add(new TestAuthority("authority").certificate());
        }
        return new TestCertificate(chain, certificate.key());
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

    @Test
    void shouldKeepConnectionsAndUseNewCertificatesWhenTheyAreReadAgain() throws IOException {
        final Path certificateFile = folder.resolve("renewed.pem");
        final Path keyFile = folder.resolve("renewed.key");
        final TestCertificate first = AUTHORITY.issue("first", "127.0.0.1");
        final TlsContexts contexts = TlsContexts.forServer(
                defaults().certificate(first.writeCertificate(certificateFile), first.writeKey(keyFile)),
                InstantSource.system());
        final TlsSide server = side(contexts);
        final TlsSide client = client(trusting());
        final URI endpoint = listen(server);
        final Connection old = exchange(client, server, endpoint);
        assertThat(contexts.reload().isTaken()).isFalse();

        final TestCertificate second = AUTHORITY.issue("second", "127.0.0.1");
        second.writeKey(keyFile);
        assertThat(contexts.reload().isRefused()).isTrue();
        assertThat(contexts.reload().text()).contains("does not belong to the first certificate of");
        final Connection between = exchange(client, server, endpoint);
        second.writeCertificate(certificateFile);
        assertThat(contexts.reload().isTaken()).isTrue();

        final Connection next = exchange(client, server, endpoint);
        assertThat(old.peerIdentity().certificates()).isEqualTo(first.chain());
        assertThat(between.peerIdentity().certificates()).isEqualTo(first.chain());
        assertThat(next.peerIdentity().certificates()).isEqualTo(second.chain());
        exchange(client, server, old);
    }

    /** What conversations are bound to: also when a session of TLS is taken up again. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void shouldKnowTheServersCertificateOnBothSides(final String protocol) throws IOException {
        final TestCertificate own = AUTHORITY.issue("first", "127.0.0.1");
        final TlsSide server = server(defaults()
                .certificate(
                        own.writeCertificate(folder.resolve("bound.pem")), own.writeKey(folder.resolve("bound.key")))
                .protocols(List.of(protocol), List.of()));
        final TlsSide client = client(trusting().protocols(List.of(protocol), List.of()));
        final URI endpoint = listen(server);
        for (int i = 0; i < 3; i++) {
            final Connection connection = exchange(client, server, endpoint);
            assertThat(connection.peerIdentity().server()).isEqualTo(own.chain().get(0));
            assertThat(connection.isPrivate()).isFalse();
            assertThat(server.connections.get(i).peerIdentity().server())
                    .isEqualTo(own.chain().get(0));
            assertThat(server.connections.get(i).peerIdentity().certificates()).isEmpty();
        }
    }

    @Test
    void shouldSayWhatIsMissingWhenServerHasNoCertificate() {
        assertThatThrownBy(() -> TlsContexts.forServer(defaults(), InstantSource.system()))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining("tls.certificate: is empty");
    }
}
