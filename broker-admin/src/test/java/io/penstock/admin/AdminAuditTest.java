package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.AuditConfig;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.Principal;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the audit has of those who come by the admin port. */
class AdminAuditTest extends AdminFixture {
    private static final Set<Action> BOBS = Set.of(Action.CONNECT, Action.LIST_TOPICS, Action.STAT);

    @TempDir
    private Path folder;

    @Override
    BrokerConfig.Builder brokerConfig() {
        return super.brokerConfig().audit(AuditConfig.in(folder.resolve("audit").toString()));
    }

    @Override
    SecurityConfig security() {
        return new SecurityConfig(
                logon -> Set.of("ann", "bob").contains(logon.user())
                                && logon.password().equals("right")
                        ? new Principal(logon.user())
                        : null,
                (principal, action, topic) ->
                        principal.name().equals("ann") || (principal.name().equals("bob") && BOBS.contains(action)),
                false,
                AnonymousAdministration.NONE);
    }

    private HttpRequest.Builder as(final String user, final String password, final String path) {
        return request(path)
                .header(
                        "Authorization",
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)));
    }

    private int status(final HttpRequest.Builder request) throws IOException, InterruptedException {
        return send(request).statusCode();
    }

    private static HttpRequest.Builder json(final HttpRequest.Builder request, final String body) {
        return request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
    }

    /** The entries about the admin port, when the broker is closed. */
    private List<JsonValue> entries() throws IOException {
        admin.close();
        broker.close();
        try (Stream<Path> files = Files.list(folder.resolve("audit"))) {
            return files.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .flatMap(AdminAuditTest::lines)
                    .map(JsonValue::parse)
                    .filter(each -> each.has("client") && each.text("client").equals("admin"))
                    .toList();
        }
    }

    private static Stream<String> lines(final Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String gist(final JsonValue entry) {
        return entry.text("kind") + " " + entry.text("outcome") + " " + (entry.has("user") ? entry.text("user") : "-");
    }

    @Test
    void shouldHaveLogonsAndRefusalsWithUserAndAddress() throws Exception {
        assertThat(status(request("/api/v1/info"))).isEqualTo(401);
        assertThat(status(as("ann", "wrong", "/api/v1/info"))).isEqualTo(401);
        assertThat(status(json(request("/api/v1/session"), "{\"user\":\"eve\",\"password\":\"x\"}")))
                .isEqualTo(401);
        assertThat(status(json(request("/api/v1/session"), "{\"user\":\"ann\",\"password\":\"right\"}")))
                .isEqualTo(200);
        for (int i = 0; i < 3; i++) {
            assertThat(status(as("bob", "right", "/metrics"))).isEqualTo(200);
        }
        assertThat(status(as("bob", "right", "/api/v1/clients"))).isEqualTo(403);
        assertThat(status(as("bob", "right", "/api/v1/topics/prices").DELETE())).isEqualTo(403);
        assertThat(status(json(as("bob", "right", "/api/v1/query"), "{\"topic\":\"prices\"}")))
                .isEqualTo(403);
        assertThat(status(as("bob", "right", "/api/v1/stream/tail?topic=prices")))
                .isEqualTo(403);
        assertThat(status(request("/api/v1/info").header("Origin", "http://evil.example")))
                .isEqualTo(403);
        assertThat(status(request("/nothing"))).isEqualTo(404);

        final List<JsonValue> entries = entries();

        assertThat(entries)
                .extracting(AdminAuditTest::gist)
                .containsExactly(
                        "logonRefused refused -",
                        "logonRefused refused ann",
                        "logonRefused refused eve",
                        "loggedOn ok ann",
                        // One for the connection, not for each request.
                        "loggedOn ok bob",
                        "refused refused bob",
                        "refused refused bob",
                        "refused refused bob",
                        "refused refused bob",
                        "refused refused -");
        assertThat(entries).allMatch(each -> each.text("peer").startsWith("http://127.0.0.1:"));
        assertThat(entries.get(5).text("reason")).contains("not allowed for bob: admin-read");
        assertThat(entries.get(6).text("reason")).contains("not allowed for bob: delete topic prices");
        assertThat(entries.get(7).text("reason")).contains("prices").contains("not allowed for bob");
        assertThat(entries.get(9).text("reason")).contains("http://evil.example");
        assertThat(entries.toString()).doesNotContain("wrong").doesNotContain("right");
    }

    @Test
    void shouldHaveALogonForEachConnectionAndUser() throws Exception {
        for (int i = 0; i < 2; i++) {
            final HttpClient another = HttpClient.newHttpClient();
            for (final String user : List.of("bob", "bob", "ann")) {
                assertThat(another.send(as(user, "right", "/metrics").build(), HttpResponse.BodyHandlers.discarding())
                                .statusCode())
                        .isEqualTo(200);
            }
        }

        assertThat(entries())
                .extracting(AdminAuditTest::gist)
                .containsExactly("loggedOn ok bob", "loggedOn ok ann", "loggedOn ok bob", "loggedOn ok ann");
    }

    @Test
    @SuppressWarnings("try") // It is only there.
    void shouldHaveCommandsOfAdministratorsWithTheirAddress() throws Exception {
        try (PenstockClient victim = PenstockClient.connect(ClientConfig.builder(ENDPOINT)
                .name("victim")
                .credentials("ann", "right")
                .onDisconnect(disconnect -> false)
                .build())) {
            final String id = JsonValue.parse(
                            send(as("ann", "right", "/api/v1/clients")).body())
                    .item("name", "victim")
                    .text("id");
            assertThat(status(as("ann", "right", "/api/v1/clients/" + id).DELETE()))
                    .isEqualTo(204);
            assertThat(status(as("ann", "right", "/api/v1/clients/" + id).DELETE()))
                    .isEqualTo(404);
        }
        assertThat(status(json(as("ann", "right", "/api/v1/topics"), "{\"name\":\"new\",\"key\":\"/id\"}")))
                .isEqualTo(201);
        assertThat(status(json(as("ann", "right", "/api/v1/topics"), "{\"name\":\"new\",\"key\":\"/id\"}")))
                .isEqualTo(200);
        assertThat(status(as("ann", "right", "/api/v1/topics/new").DELETE())).isEqualTo(204);
        assertThat(status(json(as("ann", "right", "/api/v1/transports/io-0:inproc/disable"), "")))
                .isEqualTo(204);
        assertThat(status(json(as("ann", "right", "/api/v1/transports/io-0:inproc/enable"), "")))
                .isEqualTo(204);

        final List<JsonValue> commands = entries().stream()
                .filter(each -> each.text("kind").equals("administration"))
                .toList();

        assertThat(commands)
                .extracting(each -> each.text("what").replaceAll("\\d{3,}", "N"))
                .containsExactly(
                        "disconnect client " + commands.get(0).text("what").replaceAll("\\D", ""),
                        "declare topic new",
                        "delete topic new",
                        "disable transport io-0:inproc",
                        "enable transport io-0:inproc");
        assertThat(commands).allMatch(each -> each.text("peer").startsWith("http://127.0.0.1:"));
        assertThat(commands).extracting(AdminAuditTest::gist).containsOnly("administration ok ann");
    }
}
