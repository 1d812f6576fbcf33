package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.SecurityConfig;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.Principal;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ann administers the broker; what others take of it at a time is bounded for each. */
class SharesTest extends AdminFixture {
    private static final int MESSAGE_COUNT = 1000;

    private final List<Sse> streams = new ArrayList<>();

    @Override
    SecurityConfig security() {
        return new SecurityConfig(
                logon -> logon.password().equals("secret") ? new Principal(logon.user()) : null,
                (principal, action, topic) ->
                        principal.name().equals("ann") || (action != Action.ADMIN_READ && action != Action.ADMIN_WRITE),
                false,
                AnonymousAdministration.NONE);
    }

    @Override
    AdminConfig config() {
        final AdminConfig given = AdminConfig.listening("http://127.0.0.1:0");
        return new AdminConfig(
                given.listen(),
                List.of(),
                false,
                100,
                8,
                4,
                4,
                given.bodyLengthMax(),
                given.requestTimeoutMs(),
                given.idleTimeoutMs(),
                given.sessionTimeoutMs(),
                false);
    }

    @AfterEach
    void closeStreams() throws IOException {
        for (final Sse stream : streams) {
            stream.close();
        }
    }

    private static String basic(final String user) {
        return "Authorization: Basic "
                + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
    }

    private String open(final String user, final String path) throws IOException {
        final Sse stream = new Sse(admin.endpoint(), path, basic(user));
        streams.add(stream);
        return stream.status();
    }

    @Test
    void shouldGiveEachUserAShareOfStreamsAndKeepSomeForAdministrators() throws IOException {
        final String path = "/api/v1/stream/stats";
        for (final String user : List.of("bob", "carl", "dan")) {
            assertThat(open(user, path)).isEqualTo("200");
            assertThat(open(user, path)).isEqualTo("200");
            assertThat(open(user, path)).as(user).isEqualTo("503");
        }
        assertThat(open("eve", path)).isEqualTo("503");
        assertThat(open("ann", path)).isEqualTo("200");
        assertThat(open("ann", path)).isEqualTo("200");
        assertThat(open("ann", path)).isEqualTo("503");
    }

    @Test
    void shouldGiveEachUserAShareOfTails() throws IOException {
        final String path = "/api/v1/stream/tail?topic=prices";
        assertThat(open("bob", path)).isEqualTo("200");
        assertThat(open("bob", path)).isEqualTo("503");
        assertThat(open("carl", path)).isEqualTo("200");
        assertThat(open("dan", path)).isEqualTo("200");
        assertThat(open("eve", path)).isEqualTo("503");
        assertThat(open("ann", path)).isEqualTo("200");

        streams.get(0).close();
        String status;
        do {
            try (Sse again = new Sse(admin.endpoint(), path, basic("bob"))) {
                status = again.status();
            }
        } while (status.equals("503"));
        assertThat(status).isEqualTo("200");
    }

    @Test
    void shouldEndTheQueryOfAReaderThatHasGone() throws IOException {
        try (PenstockClient client = connect("ann")) {
            final String text = "x".repeat(10_000);
            for (int i = 0; i < MESSAGE_COUNT; i++) {
                client.publish("prices", "{\"symbol\":\"" + i + "\",\"text\":\"" + text + "\"}");
            }
            client.flush();
        }
        final RawHttp first = query("bob", MESSAGE_COUNT);
        assertThat(first.status()).isEqualTo("200");
        // It takes no more, and waits.
        try (RawHttp second = query("bob", 1)) {
            assertThat(second.status()).isEqualTo("503");
        }
        try (RawHttp other = query("carl", 1)) {
            assertThat(other.status()).isEqualTo("200");
        }
        first.close();
        final long startNs = System.nanoTime();
        String status;
        do {
            try (RawHttp again = query("bob", 1)) {
                status = again.status();
            }
        } while (status.equals("503"));
        assertThat(status).isEqualTo("200");
        assertThat(System.nanoTime() - startNs).isLessThan(10_000_000_000L);
    }

    private PenstockClient connect(final String user) {
        return PenstockClient.connect(
                ClientConfig.builder(ENDPOINT).credentials(user, "secret").build());
    }

    private RawHttp query(final String user, final int limit) throws IOException {
        final String body = "{\"topic\":\"prices\",\"limit\":" + limit + "}";
        final URI server = admin.endpoint();
        return new RawHttp(server)
                .send("POST /api/v1/query HTTP/1.1\r\nHost: localhost\r\nX-Penstock-Request: 1\r\n" + basic(user)
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }
}
