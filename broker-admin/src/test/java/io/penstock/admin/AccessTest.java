package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.SecurityConfig;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.Principal;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Ann may do everything, Bob may look at topics of news, nobody else is known. */
class AccessTest extends AdminFixture {
    private static final Set<Action> BOBS = Set.of(Action.CONNECT, Action.LIST_TOPICS);

    private final AtomicBoolean isAnnKnown = new AtomicBoolean(true);

    @Override
    SecurityConfig security() {
        return new SecurityConfig(
                logon -> {
                    final boolean isRight = logon.password().equals(logon.user() + "'s secret: x");
                    return isRight
                                    && (logon.user().equals("bob")
                                            || (logon.user().equals("ann") && isAnnKnown.get()))
                            ? new Principal(logon.user())
                            : null;
                },
                (principal, action, topic) -> principal.name().equals("ann")
                        || (principal.name().equals("bob")
                                && (BOBS.contains(action)
                                        || ((action == Action.SUBSCRIBE || action == Action.QUERY)
                                                && topic.startsWith("news")))),
                false,
                AnonymousAdministration.NONE);
    }

    private HttpRequest.Builder as(final String user, final String path) {
        return as(user, user + "'s secret: x", path);
    }

    private HttpRequest.Builder as(final String user, final String password, final String path) {
        return request(path)
                .header(
                        "Authorization",
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldAskWhoItIs() throws Exception {
        assertThat(get("/api/v1/health/ready").statusCode()).isEqualTo(200);
        final HttpResponse<String> script = get("/api/v1/info");
        assertThat(script.statusCode()).isEqualTo(401);
        assertThat(script.headers().firstValue("WWW-Authenticate").orElseThrow())
                .doesNotContain("Basic");
        final HttpResponse<String> tool = send(HttpRequest.newBuilder(uri("/metrics")));
        assertThat(tool.statusCode()).isEqualTo(401);
        assertThat(tool.headers().firstValue("WWW-Authenticate").orElseThrow()).contains("Basic");
        assertThat(send(as("ann", "wrong", "/api/v1/info")).statusCode()).isEqualTo(401);
        assertThat(send(as("eve", "/api/v1/info")).statusCode()).isEqualTo(401);
        assertThat(send(request("/api/v1/info").header("Authorization", "Digest x"))
                        .statusCode())
                .isEqualTo(400);
        assertThat(send(as("ann", "/api/v1/info")).statusCode()).isEqualTo(200);
        assertThat(send(as("ann", "/metrics")).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldLetEachDoWhatItMay() throws Exception {
        final String[] paths = {
            "/api/v1/info", "/api/v1/config", "/api/v1/clients", "/api/v1/threads", "/metrics", "/api/v1/stream/stats"
        };
        for (final String path : paths) {
            assertThat(send(as("bob", path)).statusCode()).as(path).isEqualTo(403);
        }
        assertThat(send(as("bob", "/api/v1/clients/1").DELETE()).statusCode()).isEqualTo(403);
        assertThat(send(as("bob", "/api/v1/topics/prices").DELETE()).statusCode())
                .isEqualTo(403);
        assertThat(send(json(as("bob", "/api/v1/topics"), "{\"name\":\"x\"}")).statusCode())
                .isEqualTo(403);
        assertThat(send(json(as("ann", "/api/v1/topics"), "{\"name\":\"news\",\"key\":\"/id\"}"))
                        .statusCode())
                .isEqualTo(201);

        final JsonValue topics =
                JsonValue.parse(send(as("bob", "/api/v1/topics")).body());
        assertThat(topics.items()).extracting(each -> each.text("name")).containsExactly("news");
        assertThat(send(json(as("bob", "/api/v1/query"), "{\"topic\":\"prices\"}"))
                        .statusCode())
                .isIn(403, 404, 409);
        assertThat(send(json(as("bob", "/api/v1/query"), "{\"topic\":\"news\"}"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(as("bob", "/api/v1/stream/tail?topic=prices")).statusCode())
                .isEqualTo(403);
        final JsonValue who = JsonValue.parse(send(as("bob", "/api/v1/session")).body());
        assertThat(who.text("user")).isEqualTo("bob");
        assertThat(who.at("permissions").toString()).contains("LIST_TOPICS").doesNotContain("ADMIN");
    }

    private static HttpRequest.Builder json(final HttpRequest.Builder request, final String body) {
        return request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
    }

    @Test
    void shouldKeepASessionByItsCookie() throws Exception {
        assertThat(post("/api/v1/session", "{\"user\":\"ann\",\"password\":\"wrong\"}")
                        .statusCode())
                .isEqualTo(401);
        final HttpResponse<String> logon =
                post("/api/v1/session", "{\"user\":\"ann\",\"password\":\"ann's secret: x\"}");
        assertThat(logon.statusCode()).isEqualTo(200);
        final String cookie = logon.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("HttpOnly").contains("SameSite=Strict").doesNotContain("secret");
        final String pair = cookie.substring(0, cookie.indexOf(';'));
        assertThat(send(as("bob", "/api/v1/session").header("Cookie", pair)).statusCode())
                .isEqualTo(400);

        assertThat(send(request("/api/v1/info").header("Cookie", "a=b; " + pair))
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(request("/api/v1/info").header("Cookie", pair + "0")).statusCode())
                .isEqualTo(401);
        final HttpResponse<String> who = send(request("/api/v1/session").header("Cookie", pair));
        assertThat(JsonValue.parse(who.body()).text("user")).isEqualTo("ann");
        assertThat(JsonValue.parse(who.body()).number("expiresMs")).isGreaterThan(System.currentTimeMillis());

        assertThat(send(request("/api/v1/session").header("Cookie", pair).DELETE())
                        .statusCode())
                .isEqualTo(204);
        assertThat(send(request("/api/v1/info").header("Cookie", pair)).statusCode())
                .isEqualTo(401);
    }
}
