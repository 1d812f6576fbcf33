package io.penstock.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.AuditConfig;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.TokenConfig;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.Authenticator;
import java.io.EOFException;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Callers with a token of an issuer. */
class BearerTest extends AdminFixture {
    private static final String ES256 = "{\"alg\":\"ES256\",\"kid\":\"e\"}";

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // Made by brokerConfig.
    private KeyPair pair;

    @Override
    BrokerConfig.Builder brokerConfig() {
        return super.brokerConfig().audit(AuditConfig.in(folder.resolve("audit").toString()));
    }

    @Override
    SecurityConfig security() {
        try {
            final KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            pair = generator.generateKeyPair();
            final ECPublicKey key = (ECPublicKey) pair.getPublic();
            final Path keys = folder.resolve("keys.json");
            Files.writeString(
                    keys,
                    "{\"keys\":[{\"kty\":\"EC\",\"alg\":\"ES256\",\"crv\":\"P-256\",\"kid\":\"e\",\"x\":\""
                            + coordinate(key.getW().getAffineX()) + "\",\"y\":\""
                            + coordinate(key.getW().getAffineY()) + "\"}]}");
            return new SecurityConfig(
                            Authenticator.NONE,
                            (principal, action, topic) -> action == Action.CONNECT
                                    || principal.roles().contains("operator"),
                            false,
                            AnonymousAdministration.NONE)
                    .withTokens(new TokenConfig(keys.toString(), "", "https://id", "penstock", 0, "sub", "roles"));
        } catch (final GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String coordinate(final BigInteger number) {
        final byte[] signed = number.toByteArray();
        final byte[] bytes = new byte[32];
        final int count = Math.min(32, signed.length);
        System.arraycopy(signed, signed.length - count, bytes, 32 - count, count);
        return base64(bytes);
    }

    private static String base64(final byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private String token(final String header, final String claims) throws GeneralSecurityException {
        final String text = base64(header.getBytes(UTF_8)) + "." + base64(claims.getBytes(UTF_8));
        final Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
        signature.initSign(pair.getPrivate());
        signature.update(text.getBytes(UTF_8));
        return text + "." + base64(signature.sign());
    }

    private static String claims(final String audience, final long expiresInS, final String more) {
        return "{\"iss\":\"https://id\",\"aud\":\"" + audience + "\",\"sub\":\"ann\",\"exp\":"
                + (System.currentTimeMillis() / 1000 + expiresInS) + more + "}";
    }

    private String operator() throws GeneralSecurityException {
        return token(ES256, claims("penstock", 600, ",\"roles\":[\"operator\"]"));
    }

    private HttpRequest.Builder with(final String token, final String path) {
        return HttpRequest.newBuilder(uri(path)).header("Authorization", "Bearer " + token);
    }

    @Test
    void shouldLetTheUserOfATokenDoWhatItsRolesAllow() throws Exception {
        final HttpResponse<String> session = send(with(operator(), "/api/v1/session"));
        assertThat(session.statusCode()).as(session.body()).isEqualTo(200);
        final JsonValue who = JsonValue.parse(session.body());
        assertThat(who.text("user")).isEqualTo("ann");
        assertThat(who.number("expiresMs")).isGreaterThan(System.currentTimeMillis());

        assertThat(send(with(operator(), "/api/v1/info")).statusCode()).isEqualTo(200);
        final String plain = token(ES256, claims("penstock", 600, ""));
        assertThat(send(with(plain, "/api/v1/info")).statusCode()).isEqualTo(403);
    }

    /** A browser sends no such header for another site, so no other one has to prove that. */
    @Test
    void shouldTakeChangesWithATokenWithoutTheHeaderAgainstOtherSites() throws Exception {
        final HttpResponse<String> made = send(with(operator(), "/api/v1/topics")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"new\",\"key\":\"/id\"}")));
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        assertThat(send(with(operator(), "/api/v1/topics")
                                .header("Content-Type", "text/plain")
                                .POST(HttpRequest.BodyPublishers.ofString("{}")))
                        .statusCode())
                .isEqualTo(415);
        assertThat(send(with(operator(), "/api/v1/topics/new")
                                .header("Origin", "http://evil.example")
                                .DELETE())
                        .statusCode())
                .isEqualTo(403);
        assertThat(send(with("x", "/api/v1/topics/new").DELETE()).statusCode()).isEqualTo(401);
        assertThat(send(with(operator(), "/api/v1/topics/new").DELETE()).statusCode())
                .isEqualTo(204);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ES256 | other    | 600 | another audience
            ES256 | penstock | -1  | expired
            none  | penstock | 600 | algorithm is not
            HS256 | penstock | 600 | algorithm is not
            """)
    void shouldSayWhyATokenIsRefused(
            final String algorithm, final String audience, final long expiresInS, final String reason)
            throws Exception {
        final String header = "{\"alg\":\"" + algorithm + "\",\"kid\":\"e\"}";
        final String signed = token(header, claims(audience, expiresInS, ""));
        final String token = algorithm.equals("none") ? signed.substring(0, signed.lastIndexOf('.') + 1) : signed;

        final HttpResponse<String> response = send(with(token, "/api/v1/info"));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.headers().firstValue("WWW-Authenticate").orElseThrow())
                .contains("Bearer")
                .contains("invalid_token");
        assertThat(JsonValue.parse(response.body()).text("detail")).contains(reason);
        assertThat(JsonValue.parse(response.body()).text("code")).isEqualTo("BAD_TOKEN");
        assertThat(send(with(operator(), "/metrics")).body())
                .contains("penstock_admin_requests_refused_total{status=\"401\"} 1");
        admin.close();
        broker.close();
        assertThat(Files.readString(folder.resolve("audit").resolve("audit-0000000001.jsonl")))
                .contains("logonRefused")
                .contains(reason)
                .contains("\"kind\":\"loggedOn\",\"outcome\":\"ok\",\"count\":0,\"user\":\"ann\"")
                .doesNotContain(token);
    }

    @Test
    void shouldSlowDownWhoSendsARefusedTokenAgainAndAgain() throws Exception {
        final String token = token(ES256, claims("other", 600, ""));
        String detail;
        int count = 0;
        do {
            final HttpResponse<String> response = send(with(token, "/api/v1/info"));
            assertThat(response.statusCode()).isEqualTo(401);
            detail = JsonValue.parse(response.body()).text("detail");
            count++;
        } while (!detail.contains("too many"));
        assertThat(count).isEqualTo(6);
        // On this machine all have one address: who has a good one is not slowed down.
        assertThat(send(with(operator(), "/api/v1/info")).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldEndAStreamWhenItsTokenExpires() throws Exception {
        final String token = token(ES256, claims("penstock", 2, ",\"roles\":[\"operator\"]"));
        try (Sse stats = new Sse(admin.endpoint(), "/api/v1/stream/stats", "Authorization: Bearer " + token);
                Sse tail = new Sse(
                        admin.endpoint(), "/api/v1/stream/tail?topic=prices", "Authorization: Bearer " + token)) {
            assertThat(stats.status()).isEqualTo("200");
            assertThat(tail.status()).isEqualTo("200");
            assertThat(tail.next().text("detail")).contains("expired");
            assertThat(tail.name()).isEqualTo("end");
            boolean isOpen = true;
            while (isOpen) {
                try {
                    stats.next();
                } catch (final EOFException e) {
                    isOpen = false;
                }
            }
        }
    }

    @Test
    void shouldRefuseTokensOfABrokerThatTakesNone() throws Exception {
        try (Broker plain = Broker.launch(
                        BrokerConfig.builder().listen("inproc:none").build());
                AdminServer other = AdminServer.launch(config(), plain)) {
            final HttpResponse<String> response = http.send(
                    HttpRequest.newBuilder(URI.create(other.endpoint() + "/api/v1/info"))
                            .header("Authorization", "Bearer x.y.z")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(401);
            assertThat(response.body()).contains("security.tokens");
        }
    }
}
