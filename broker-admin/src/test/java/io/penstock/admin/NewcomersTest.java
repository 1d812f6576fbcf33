package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.admin.http.HttpServer;
import io.penstock.admin.http.Problem;
import io.penstock.admin.http.Refusals;
import io.penstock.admin.http.ServerSettings;
import io.penstock.broker.security.Identity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that ask for nothing. */
@Timeout(60)
class NewcomersTest {
    private static final int CONNECTION_COUNT_MAX = 8;

    @Test
    void shouldCloseTheOldestOfAnAddressAndServeWhoAsks() throws IOException {
        final Refusals refusals = new Refusals() {
            @Override
            public void onRefused(final String peer, final String user, final Problem problem) {}

            @Override
            public void onTlsFailed(final String peer, final String reason) {}

            @Override
            public void onError(final Throwable error) {
                throw new AssertionError(error);
            }
        };
        final ServerSettings settings = new ServerSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                List.of(),
                CONNECTION_COUNT_MAX,
                1024,
                60_000,
                60_000,
                null);
        final List<RawHttp> silent = new ArrayList<>();
        try (HttpServer server =
                new HttpServer(settings, exchange -> exchange.text("text/plain", "done"), refusals, Identity::host)) {
            final URI endpoint =
                    URI.create("http://127.0.0.1:" + server.address().getPort());
            final RawHttp asked = new RawHttp(endpoint).send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            silent.add(asked);
            assertThat(asked.status()).isEqualTo("200");
            for (int i = 0; i < 3 * CONNECTION_COUNT_MAX; i++) {
                // Also one that never sends its request whole.
                silent.add(new RawHttp(endpoint).send(i % 2 == 0 ? "" : "GET / HTTP"));
            }
            for (int i = 1; i < silent.size() - CONNECTION_COUNT_MAX / 2; i++) {
                assertThat(silent.get(i).all()).isEmpty();
            }
            try (RawHttp client = new RawHttp(endpoint)) {
                client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(client.status()).isEqualTo("200");
            }
            assertThat(server.connectionCount()).isLessThanOrEqualTo(CONNECTION_COUNT_MAX);
        } finally {
            for (final RawHttp each : silent) {
                each.close();
            }
        }
    }
}
