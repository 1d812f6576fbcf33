package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.admin.http.EventStream;
import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.HttpServer;
import io.penstock.admin.http.Problem;
import io.penstock.admin.http.Refusals;
import io.penstock.admin.http.ServerSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that nobody takes. */
@Timeout(60)
class SlowReaderTest {
    private static final String REQUEST = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    /** More than two sockets hold. */
    private static final byte[] LARGE = new byte[32 * 1024 * 1024];

    private final AtomicReference<EventStream> stream = new AtomicReference<>();
    private HttpServer server;
    private URI endpoint;

    @BeforeEach
    void start() throws IOException {
        start(500);
    }

    private void start(final int idleTimeoutMs) throws IOException {
        server = new HttpServer(
                new ServerSettings(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        List.of(),
                        8,
                        1024,
                        30_000,
                        idleTimeoutMs,
                        null),
                this::answer,
                new Refusals() {
                    @Override
                    public void onRefused(final String peer, final String user, final Problem problem) {}

                    @Override
                    public void onTlsFailed(final String peer, final String reason) {}

                    @Override
                    public void onError(final Throwable error) {
                        throw new AssertionError(error);
                    }
                },
                UnaryOperator.identity());
        endpoint = URI.create("http://127.0.0.1:" + server.address().getPort());
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void answer(final Exchange exchange) {
        if (exchange.request().segments().get(0).equals("stream")) {
            final EventStream opened = exchange.stream("text/plain");
            stream.set(opened);
            opened.send(LARGE);
        } else {
            exchange.answer(200, "text/plain", LARGE);
        }
    }

    private void awaitNoConnection() {
        while (server.connectionCount() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldCloseAConnectionWhoseAnswerNobodyTakes() throws IOException {
        try (RawHttp reader = new RawHttp(endpoint)) {
            reader.send("GET /answer" + REQUEST);
            assertThat(reader.status()).isEqualTo("200");
            awaitNoConnection();
        }
    }

    @Test
    void shouldSendAllToWhoTakesIt() throws IOException {
        // This thread may stand still for a while.
        server.close();
        start(30_000);
        try (RawHttp reader = new RawHttp(endpoint)) {
            reader.send("GET /answer" + REQUEST);
            assertThat(reader.all()).hasSizeGreaterThan(LARGE.length);
        }
    }

    /** A page may pause its stream. */
    @Test
    void shouldLetAReaderOfAStreamPauseUntilItsEnd() throws IOException {
        try (RawHttp paused = new RawHttp(endpoint)) {
            paused.send("GET /stream" + REQUEST);
            // As long as this takes, the other would have been closed.
            shouldCloseAnotherConnection();
            assertThat(server.connectionCount()).isOne();
            Objects.requireNonNull(stream.get()).end(new byte[0]);
            awaitNoConnection();
        }
    }

    private void shouldCloseAnotherConnection() throws IOException {
        try (RawHttp reader = new RawHttp(endpoint)) {
            reader.send("GET /answer" + REQUEST);
            assertThat(reader.status()).isEqualTo("200");
            while (server.connectionCount() > 1) {
                Thread.onSpinWait();
            }
        }
    }
}
