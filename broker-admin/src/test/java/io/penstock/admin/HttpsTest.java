package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.Principal;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.EngineChoice;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.TlsException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An admin server that speaks https; Ann is known by her certificate, Carl has one and is nobody. */
class HttpsTest extends AdminFixture {
    private static final TestAuthority AUTHORITY = new TestAuthority("authority");
    private static final int SHORT_MS = 1500;
    private static final String USERS =
            "penstock-users 1\nsecret " + "A".repeat(43) + "=\nuser ann certificate=CN=ann\n";

    @TempDir
    Path folder;

    private int fileCount;
    private int handshakeTimeoutMs = 60_000;

    @Override
    BrokerConfig.Builder brokerConfig() {
        final TestCertificate certificate = AUTHORITY.issue("broker", "127.0.0.1");
        return super.brokerConfig()
                .tls(TlsConfig.defaults()
                        .engine(engine())
                        .certificate(
                                certificate.writeCertificate(folder.resolve("broker.pem")),
                                certificate.writeKey(folder.resolve("broker.key")))
                        .trust(trust(AUTHORITY), "")
                        .clientCertificates(ClientCertificates.OPTIONAL)
                        .handshakeTimeoutMs(handshakeTimeoutMs));
    }

    EngineChoice engine() {
        return EngineChoice.JDK;
    }

    @Override
    SecurityConfig security() {
        try {
            final Path users = folder.resolve("users");
            Files.deleteIfExists(users);
            Files.createFile(users, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(users, USERS);
            return SecurityConfig.defaults().withUsers(users.toString());
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    AdminConfig config() {
        return AdminConfig.listening("https://127.0.0.1:0");
    }

    @BeforeEach
    void trustTheBroker() throws TlsException {
        http = client(trusting());
    }

    private String trust(final TestAuthority authority) {
        return authority.writeTrust(folder.resolve("trust-" + fileCount++ + ".pem"));
    }

    private TlsConfig trusting() {
        return TlsConfig.defaults().trust(trust(AUTHORITY), "");
    }

    private TlsConfig as(final TestCertificate certificate) {
        final String name = "own-" + fileCount++;
        return trusting()
                .certificate(
                        certificate.writeCertificate(folder.resolve(name + ".pem")),
                        certificate.writeKey(folder.resolve(name + ".key")));
    }

    private static HttpClient client(final TlsConfig config) throws TlsException {
        final TlsContexts contexts = TlsContexts.forClient(config, true);
        return HttpClient.newBuilder()
                .sslContext(contexts.context())
                .sslParameters(contexts.clientParameters())
                .build();
    }

    private int statusOf(final HttpClient client, final String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    /** Other tests would fail where a handshake of their own takes as long as these have to wait. */
    private void startAgainWithShortHandshakes() {
        close();
        handshakeTimeoutMs = SHORT_MS;
        launch();
    }

    /** Until it is served: a handshake of this test may take too long, too. */
    private <T> T served(final Callable<T> request) throws Exception {
        final long startNs = System.nanoTime();
        while (true) {
            try {
                return request.call();
            } catch (final IOException e) {
                assertThat(System.nanoTime() - startNs).as("%s", e).isLessThan(TimeUnit.SECONDS.toNanos(30));
            }
        }
    }

    private void assertServes() throws IOException, InterruptedException {
        assertThat(get("/api/v1/health/ready").statusCode()).isEqualTo(200);
    }

    private Event refusal(final String reason) {
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(30)) {
            for (final Event event : events) {
                if (event.kind() == EventKind.ADMINISTRATION_REFUSED
                        && event.values().toString().contains(reason)) {
                    return event;
                }
            }
            LockSupport.parkNanos(1_000_000);
        }
        throw new AssertionError("no such refusal: " + reason + ": "
                + events.stream()
                        .filter(e -> e.kind() == EventKind.ADMINISTRATION_REFUSED)
                        .toList());
    }

    private double tlsFailedCount() throws Exception {
        final String text = client(as(AUTHORITY.issue("ann")))
                .send(request("/metrics").build(), HttpResponse.BodyHandlers.ofString())
                .body();
        return text.lines()
                .filter(line -> line.startsWith("penstock_admin_tls_failed_total "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .sum();
    }

    @Test
    void shouldSpeakHttps() throws Exception {
        assertThat(admin.endpoint().getScheme()).isEqualTo("https");
        final HttpResponse<String> ready = get("/api/v1/health/ready");
        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(ready.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
        assertThat(get("/api/v1/info").statusCode()).isEqualTo(401);
    }

    @Test
    void shouldKnowTheUserByItsCertificate() throws Exception {
        final HttpClient ann = client(as(AUTHORITY.issue("ann")));
        assertThat(ann.send(request("/api/v1/session").build(), HttpResponse.BodyHandlers.ofString())
                        .body())
                .contains("\"user\":\"ann\"");
        assertThat(statusOf(ann, "/api/v1/info")).isEqualTo(200);
        assertThat(statusOf(client(as(AUTHORITY.issue("carl"))), "/api/v1/info"))
                .isEqualTo(401);
        // What it says goes before what the connection proves.
        final String wrong = Base64.getEncoder().encodeToString("ann:wrong".getBytes(StandardCharsets.UTF_8));
        assertThat(ann.send(
                                request("/api/v1/info")
                                        .header("Authorization", "Basic " + wrong)
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void shouldNotKnowTheUserAnyMoreWhenItIsRemoved() throws Exception {
        final HttpClient ann = client(as(AUTHORITY.issue("ann")));
        assertThat(statusOf(ann, "/api/v1/info")).isEqualTo(200);
        Files.writeString(folder.resolve("users"), USERS.replace("user ann", "user ann disabled"));
        assertThat(broker.reloadUsers()).isTrue();
        assertThat(statusOf(ann, "/api/v1/info")).isEqualTo(401);
    }

    @Test
    void shouldRefuseClientWhenItsAuthorityIsUnknown() throws Exception {
        final HttpClient mallory = client(as(new TestAuthority("authority").issue("ann")));
        assertThatThrownBy(() -> statusOf(mallory, "/api/v1/health/ready")).isInstanceOf(IOException.class);
        refusal("TLS: the certificate of the peer is signed by nobody who is trusted here");
        assertThat(tlsFailedCount()).isPositive();
        assertServes();
    }

    @Test
    void shouldBeRefusedByClientWhenItDoesNotTrustTheServer() throws Exception {
        final HttpClient stranger = client(TlsConfig.defaults().trust(trust(new TestAuthority("stranger")), ""));
        assertThatThrownBy(() -> statusOf(stranger, "/api/v1/health/ready")).isInstanceOf(SSLHandshakeException.class);
        refusal("TLS: ");
        assertServes();
    }

    @Test
    void shouldRefuseOlderVersions() throws Exception {
        final HttpClient old = client(trusting().protocols(List.of("TLSv1.2"), List.of()));
        assertThatThrownBy(() -> statusOf(old, "/api/v1/health/ready")).isInstanceOf(IOException.class);
        refusal("no version of TLS in common");
        assertServes();
    }

    @Test
    void shouldSayInPlainHttpThatItSpeaksTls() throws Exception {
        try (RawHttp raw = new RawHttp(admin.endpoint())) {
            final String answer =
                    raw.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").all();
            assertThat(answer)
                    .startsWith("HTTP/1.1 400 ")
                    .contains("HTTP_TO_TLS")
                    .contains("(use https)");
        }
        refusal("connection: does not speak TLS, and must here");
        assertServes();
    }

    @Test
    void shouldRefusePeerWhenItSaysNothingInTime() throws Exception {
        startAgainWithShortHandshakes();
        try (RawHttp raw = new RawHttp(admin.endpoint())) {
            assertThat(raw.all()).isEmpty();
        }
        refusal("the handshake was not done within 1500 ms");
        assertThat(served(this::tlsFailedCount)).isPositive();
        assertThat(served(() -> get("/api/v1/health/ready").statusCode())).isEqualTo(200);
    }

    @Test
    void shouldRefusePeerWhenItsHandshakeIsSlow() throws Exception {
        startAgainWithShortHandshakes();
        try (RawHttp raw = new RawHttp(admin.endpoint())) {
            raw.send("\u0016\u0003\u0001").all();
        }
        refusal("the handshake was not done within 1500 ms");
        assertThat(served(this::tlsFailedCount)).isPositive();
        assertThat(served(() -> get("/api/v1/health/ready").statusCode())).isEqualTo(200);
    }

    @Test
    void shouldRefusePeerWhenItIsGoneDuringItsHandshake() throws Exception {
        try (RawHttp raw = new RawHttp(admin.endpoint())) {
            raw.send("\u0016\u0003\u0001");
            raw.finish();
        }
        refusal("closed by the peer during the handshake");
        assertServes();
    }

    @Test
    void shouldRefusePeerWhenItSendsGarbage() throws Exception {
        try (RawHttp raw = new RawHttp(admin.endpoint())) {
            raw.send("\u0016\u0003\u0001\u0000\u0004\u0001\u0000\u0000\u0000").all();
        }
        refusal("TLS: ");
        assertThat(tlsFailedCount()).isPositive();
        assertServes();
    }

    @Test
    void shouldEndConnectionWhenARecordWasChangedOnItsWay() throws Exception {
        try (Socket raw =
                        new Socket(admin.endpoint().getHost(), admin.endpoint().getPort());
                SSLSocket peer = encrypted(raw)) {
            peer.startHandshake();
            raw.getOutputStream()
                    .write(new byte[] {23, 3, 3, 0, 20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2});
            assertThatThrownBy(() -> peer.getInputStream().readAllBytes()).isInstanceOf(IOException.class);
        }
        refusal("TLS: what the peer sent was changed on its way");
        assertThat(tlsFailedCount()).isPositive();
        assertServes();
    }

    private SSLSocket encrypted(final Socket raw) throws IOException {
        return (SSLSocket) TlsContexts.forClient(trusting(), true)
                .context()
                .getSocketFactory()
                .createSocket(raw, "127.0.0.1", raw.getPort(), true);
    }

    /** Each update of keys costs the server an answer. */
    @Test
    void shouldEndConnectionWhenAPeerFloodsUpdatesOfKeys() throws Exception {
        try (Socket raw =
                        new Socket(admin.endpoint().getHost(), admin.endpoint().getPort());
                SSLSocket peer = encrypted(raw)) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000_000; i++) {
                            peer.startHandshake();
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
        refusal("TLS: the peer sends too many updates of keys");
        assertServes();
    }

    /** It says good-bye, and leaves the connection open. */
    @Test
    void shouldCloseWhenThePeerClosesItsDirection() throws Exception {
        try (Socket raw =
                        new Socket(admin.endpoint().getHost(), admin.endpoint().getPort());
                SSLSocket peer = encrypted(raw)) {
            peer.setSoTimeout(20_000);
            peer.startHandshake();
            peer.shutdownOutput();
            assertThat(peer.getInputStream().read()).isEqualTo(-1);
        }
        assertServes();
    }

    @Test
    void shouldNoticeWhenThePeerClosesWithoutGoodBye() throws Exception {
        try (Socket raw =
                new Socket(admin.endpoint().getHost(), admin.endpoint().getPort())) {
            final SSLSocket peer = encrypted(raw);
            peer.startHandshake();
            raw.shutdownOutput();
            raw.setSoTimeout(20_000);
            raw.getInputStream().readAllBytes();
        }
        assertServes();
    }

    @Test
    void shouldUseNewCertificatesAndKeepConnectionsWhenTheyAreReadAgain() throws Exception {
        try (Socket raw =
                        new Socket(admin.endpoint().getHost(), admin.endpoint().getPort());
                SSLSocket before = encrypted(raw)) {
            before.startHandshake();
            final TestAuthority other = new TestAuthority("other");
            final TestCertificate renewed = other.issue("broker", "127.0.0.1");
            renewed.writeCertificate(folder.resolve("broker.pem"));
            renewed.writeKey(folder.resolve("broker.key"));
            assertThat(broker.reloadCertificates().isTaken()).isTrue();

            assertThat(statusOf(client(TlsConfig.defaults().trust(trust(other), "")), "/api/v1/health/ready"))
                    .isEqualTo(200);
            assertThatThrownBy(() -> statusOf(client(trusting()), "/api/v1/health/ready"))
                    .isInstanceOf(SSLHandshakeException.class);
            before.getOutputStream()
                    .write("GET /api/v1/health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(new String(before.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void shouldMakeCookiesSecure() throws Exception {
        try (Broker other = Broker.launch(BrokerConfig.builder()
                        .listen("inproc:https-cookies")
                        .events(events::add)
                        .tls(broker.config().tls())
                        .security(new SecurityConfig(
                                logon -> logon.user().equals("ann")
                                                && logon.password().equals("secret")
                                        ? new Principal("ann")
                                        : null,
                                Authorizer.ALL,
                                false))
                        .build());
                AdminServer server = AdminServer.launch(config(), other)) {
            final HttpResponse<String> logon = http.send(
                    HttpRequest.newBuilder(URI.create(server.endpoint() + "/api/v1/session"))
                            .header("X-Penstock-Request", "1")
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{\"user\":\"ann\",\"password\":\"secret\"}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(logon.statusCode()).as(logon.body()).isEqualTo(200);
            assertThat(logon.headers().firstValue("Set-Cookie").orElseThrow()).contains("; Secure");
        }
    }

    @Test
    void shouldRefuseToListenWithoutEncryptionWhereOthersReachItAndWithoutACertificate() {
        assertThatThrownBy(() -> AdminServer.launch(AdminConfig.listening("http://0.0.0.0:0"), broker))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("admin.listen: other machines can reach http://0.0.0.0:0")
                .hasMessageContaining("or with https");
        assertThatThrownBy(() -> AdminServer.check(config(), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("admin.listen: is https, but there is no certificate")
                .hasMessageContaining("give tls.certificate and tls.key");
        AdminServer.check(AdminConfig.listening("https://0.0.0.0:0"), true);
    }

    /** Whoever reached it would be anonymous, and see everything. */
    @Test
    void shouldRefuseToListenWhereOthersReachItWhenTheBrokerKnowsNoUsers() {
        final BrokerConfig.Builder withoutUsers = BrokerConfig.builder();
        assertThatThrownBy(() -> AdminConfig.listening("https://0.0.0.0:0").checkCallers(withoutUsers.build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("admin.listen: other machines can reach https://0.0.0.0:0")
                .hasMessageContaining("the broker knows no users");
        AdminConfig.listening("https://127.0.0.1:0").checkCallers(withoutUsers.build());
        AdminConfig.listening("https://0.0.0.0:0")
                .checkCallers(withoutUsers
                        .security(SecurityConfig.defaults().withUsers("users"))
                        .build());
    }

    @Test
    void shouldSayThatItSpeaksHttpWhenAPeerSpeaksTls() throws Exception {
        try (AdminServer plain = AdminServer.launch(AdminConfig.listening("http://127.0.0.1:0"), broker);
                RawHttp raw = new RawHttp(plain.endpoint())) {
            assertThat(raw.send("\u0016\u0003\u0001\u0000\u0004\u0001\u0000\u0000\u0000")
                            .all())
                    .contains("TLS_TO_HTTP");
            refusal("connection: speaks TLS, and this server does not (use http, or have it listen with https");
        }
    }
}
