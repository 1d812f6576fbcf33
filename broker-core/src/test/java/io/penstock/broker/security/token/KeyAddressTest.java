package io.penstock.broker.security.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import io.penstock.broker.TokenConfig;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys of a server with a certificate of its own authority, which is well, slow, down or hostile. */
@Timeout(60)
class KeyAddressTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("issuer's authority");
    private static final TestCertificate CERTIFICATE = AUTHORITY.issue("id", "127.0.0.1");
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final long HALF_A_MINUTE_NS = TimeUnit.SECONDS.toNanos(31);

    private static String modulus;

    @TempDir
    private Path directory;

    private final CachedNanoClock nanos = new CachedNanoClock();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final CountDownLatch isOver = new CountDownLatch(1);
    private KeyServer server;
    private String trust;

    @BeforeAll
    static void generate() throws Exception {
        final KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        final RSAPublicKey key =
                (RSAPublicKey) generator.generateKeyPair().getPublic();
        modulus = Base64.getUrlEncoder().withoutPadding().encodeToString(key.getModulus().toByteArray());
    }

    @BeforeEach
    void serve() throws Exception {
        nanos.update(TimeUnit.HOURS.toNanos(5));
        trust = AUTHORITY.writeTrust(directory.resolve("authority.pem"));
        server = new KeyServer(CERTIFICATE, KeyServer.text(keys("a")));
    }

    @AfterEach
    void stop() {
        isOver.countDown();
        server.close();
    }

    private static String keys(final String... ids) {
        final StringBuilder set = new StringBuilder("{\"keys\":[");
        for (final String id : ids) {
            set.append(set.charAt(set.length() - 1) == '[' ? "" : ",").append(key(id));
        }
        return set.append("]}").toString();
    }

    private static String key(final String id) {
        return "{\"kty\":\"RSA\",\"kid\":\"" + id + "\",\"n\":\"" + modulus + "\",\"e\":\"AQAB\"}";
    }

    private KeySource source(final Duration timeout) {
        return new KeySource(server.address(), trust, timeout, nanos, errors::add);
    }

    private void assertFails(final HttpHandler answer, final Duration timeout, final String... reason) {
        server.handler(answer);
        errors.clear();

        assertThat(source(timeout).find("a", "RS256")).isNull();
        assertThat(errors).singleElement().satisfies(error -> assertThat(error)
                .hasMessageStartingWith("security.tokens.keys: " + server.address() + ": ")
                .hasMessageContainingAll(reason)
                .hasMessageEndingWith("; no token counts"));
    }

    @Test
    void shouldAskOnceForTheKeysOfATrustedServer() {
        final KeySource keys = source(LONG);

        for (int i = 0; i < 10; i++) {
            assertThat(keys.find("a", "RS256")).isNotNull();
            assertThat(keys.find("b", "RS256")).isNull();
            assertThat(keys.find("a", "ES256")).isNull();
        }
        assertThat(server.requestCount.get()).isEqualTo(1);
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldTakeNewKeysAndForgetOldOnesWhenTheIssuerRotatesThem() {
        final KeySource keys = source(LONG);
        assertThat(keys.find("a", "RS256")).isNotNull();
        server.handler(KeyServer.text(keys("a", "b")));
        nanos.advance(HALF_A_MINUTE_NS);
        assertThat(keys.find("b", "RS256")).isNotNull();
        server.handler(KeyServer.text(keys("b")));
        assertThat(keys.find("a", "RS256")).isNotNull();

        nanos.advance(TimeUnit.HOURS.toNanos(1) + 1);
        assertThat(keys.find("a", "RS256")).isNull();
        assertThat(keys.find("b", "RS256")).isNotNull();
        assertThat(server.requestCount.get()).isEqualTo(3);
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldNotTrustAServerOfAnotherAuthorityOrHost() throws Exception {
        trust = new TestAuthority("issuer's authority").writeTrust(directory.resolve("other.pem"));
        assertFails(
                KeyServer.text(keys("a")),
                LONG,
                "signed by nobody who is trusted here",
                "add its authority to security.tokens.trust");
        // The authorities of the JDK.
        trust = "";
        assertFails(KeyServer.text(keys("a")), LONG, "signed by nobody who is trusted here");
        assertThat(server.requestCount.get()).isZero();

        server.close();
        server = new KeyServer(AUTHORITY.issue("id", "id.example.com"), KeyServer.text(keys("a")));
        trust = AUTHORITY.writeTrust(directory.resolve("authority.pem"));
        assertFails(KeyServer.text(keys("a")), LONG, "is for another host");
        assertThat(server.requestCount.get()).isZero();
    }

    @Test
    void shouldTrustANewAuthorityWithoutARestart() throws Exception {
        trust = new TestAuthority("stranger").writeTrust(directory.resolve("replaced.pem"));
        final KeySource keys = source(LONG);
        assertThat(keys.find("a", "RS256")).isNull();

        AUTHORITY.writeTrust(directory.resolve("replaced.pem"));
        nanos.advance(HALF_A_MINUTE_NS);
        assertThat(keys.find("a", "RS256")).isNotNull();
        Files.delete(directory.resolve("replaced.pem"));
        nanos.advance(TimeUnit.HOURS.toNanos(2));
        errors.clear();
        assertThat(keys.find("a", "RS256")).isNotNull();
        assertThat(errors)
                .singleElement()
                .asString()
                .contains("security.tokens.trust: cannot be read", "; the 1 keys from before go on");
    }

    @Test
    void shouldSayAtTheStartWhatIsWrongWithTheFileOfAuthorities() {
        trust = "/no/such/file";
        assertThatThrownBy(() -> source(LONG))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("security.tokens.trust: cannot be read: /no/such/file: no such file");
        assertThatThrownBy(() -> new TokenConfig("/keys.json", trust, "i", "a", 0, "sub", "roles"))
                .hasMessageContaining("there is no https address to be trusted");
        for (final String wrong : List.of("https:", "https:///keys", "https://a b/keys", "https:keys")) {
            assertThatThrownBy(() -> new TokenConfig(wrong, "", "i", "a", 0, "sub", "roles"))
                    .hasMessageStartingWith("security.tokens.keys: not an address: " + wrong);
        }
    }

    @Test
    void shouldGoOnWithTheKeysThereAreWhenTheServerIsDown() {
        final KeySource keys = source(LONG);
        assertThat(keys.find("a", "RS256")).isNotNull();
        server.close();

        nanos.advance(TimeUnit.HOURS.toNanos(30));
        assertThat(keys.find("a", "RS256")).isNotNull();
        assertThat(keys.find("b", "RS256")).isNull();
        assertThat(errors)
                .singleElement()
                .asString()
                .contains("cannot be reached: connection refused (see whether", "; the 1 keys from before go on");
    }

    @Test
    void shouldNotFollowRedirectsNorTakeOtherAnswers() throws Exception {
        try (KeyServer other = new KeyServer(CERTIFICATE, KeyServer.text(keys("a")))) {
            assertFails(
                    exchange -> {
                        exchange.getResponseHeaders().add("Location", other.address());
                        exchange.sendResponseHeaders(302, -1);
                        exchange.close();
                    },
                    LONG,
                    "answered with status 302, and redirects are not followed");
            assertThat(other.requestCount.get()).isZero();
        }
        for (final int status : new int[] {204, 401, 404, 500, 503}) {
            assertFails(
                    exchange -> {
                        exchange.sendResponseHeaders(status, -1);
                        exchange.close();
                    },
                    LONG,
                    "answered with status " + status);
        }
    }

    @Test
    void shouldRefuseWhatIsNoSetOfKeys() {
        assertFails(KeyServer.text("<html>log in</html>"), LONG, "JSON: no object");
        assertFails(KeyServer.text(""), LONG, "JSON: no object");
        assertFails(KeyServer.text("{\"keys\":[" + key("a") + "]"), LONG, "JSON: ");
        assertFails(KeyServer.text("{\"keys\":{}}"), LONG, "not a JWK set");
        assertFails(KeyServer.text(keys()), LONG, "no key for RS256");
        assertFails(KeyServer.text(keys("x".repeat(65).split(""))), LONG, "not a JWK set of at most 64 keys");
        assertFails(
                exchange -> {
                    exchange.sendResponseHeaders(200, 3);
                    exchange.getResponseBody().write(new byte[] {'{', (byte) 0xC3, '}'});
                    exchange.close();
                },
                LONG,
                "not UTF-8");
        // Less than what was announced.
        assertFails(
                exchange -> {
                    exchange.sendResponseHeaders(200, 5_000);
                    exchange.getResponseBody().write(keys("a").getBytes(UTF_8));
                    exchange.close();
                },
                LONG,
                "cannot be read");
    }

    @Test
    void shouldReadNoMoreThanTheLimitWhenTheAnswerNeverEnds() throws Exception {
        final CompletableFuture<Long> sent = new CompletableFuture<>();
        assertFails(
                exchange -> {
                    exchange.sendResponseHeaders(200, 0);
                    final byte[] spaces = " ".repeat(64 * 1024).getBytes(UTF_8);
                    long count = 0;
                    try (OutputStream body = exchange.getResponseBody()) {
                        while (true) {
                            body.write(spaces);
                            count += spaces.length;
                        }
                    } catch (final IOException e) {
                        sent.complete(count);
                    }
                },
                LONG,
                "longer than 262144 bytes");
        // The rest is what both kernels hold.
        assertThat(sent.get(20, TimeUnit.SECONDS)).isLessThan(64L * 1024 * 1024);
    }

    @Test
    void shouldGiveUpWhenTheServerIsSlow() {
        final HttpHandler silent = exchange -> awaitEnd();
        assertFails(silent, SHORT, "did not answer in 300 ms");
        assertFails(
                exchange -> {
                    exchange.sendResponseHeaders(200, 0);
                    exchange.getResponseBody().write('{');
                    exchange.getResponseBody().flush();
                    awaitEnd();
                },
                SHORT,
                "did not answer in 300 ms");
    }

    private void awaitEnd() {
        try {
            isOver.await();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldKeepNobodyWaitingWhoseKeyIsKnownWhileKeysAreRead() throws Exception {
        final KeySource keys = source(LONG);
        assertThat(keys.find("a", "RS256")).isNotNull();
        final CountDownLatch isAsked = new CountDownLatch(1);
        server.handler(exchange -> {
            isAsked.countDown();
            awaitEnd();
            KeyServer.text(keys("b")).handle(exchange);
        });
        nanos.advance(TimeUnit.HOURS.toNanos(2));
        final CompletableFuture<TokenKey> reading = CompletableFuture.supplyAsync(() -> keys.find("b", "RS256"));
        assertThat(isAsked.await(20, TimeUnit.SECONDS)).isTrue();

        assertThat(keys.find("a", "RS256")).isNotNull();
        assertThat(reading).isNotDone();
        isOver.countDown();
        assertThat(reading.get(20, TimeUnit.SECONDS)).isNotNull();
        assertThat(keys.find("a", "RS256")).isNull();
    }

    @Test
    void shouldPassOverKeysThatCannotBeUsedBesideOnesThatCan() {
        server.handler(KeyServer.text("{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"short\",\"n\":\"AQAB\",\"e\":\"AQAB\"},7,{},"
                + "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"!\",\"y\":\"\"}," + key("a") + "]}"));

        assertThat(source(LONG).find("a", "RS256")).isNotNull();
        assertThat(errors).isEmpty();
    }
}
