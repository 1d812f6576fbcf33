package io.penstock.orderdesk;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Asks a desk by HTTP. Safe on any thread. */
final class DeskClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long POLL_NS = 20_000_000;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final String base;

    DeskClient(final int port) {
        base = "http://127.0.0.1:" + port;
    }

    /** Sends an order; returns the status. */
    int order(final String id, final String symbol, final int quantity) throws IOException, InterruptedException {
        final String body = "{\"id\":\"" + id + "\",\"symbol\":\"" + symbol + "\",\"quantity\":" + quantity + "}";
        return http.send(
                        HttpRequest.newBuilder(URI.create(base + "/orders"))
                                .timeout(TIMEOUT)
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    /** The status and the page. */
    String page(final String path) throws IOException, InterruptedException {
        final HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(URI.create(base + path)).timeout(TIMEOUT).build(),
                HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    /** Asks for a page until it has a text; returns it. */
    String awaitPage(final String path, final String text) throws IOException, InterruptedException {
        final long endNs = System.nanoTime() + TIMEOUT.toNanos();
        String page = page(path);
        while (!page.contains(text)) {
            if (System.nanoTime() > endNs) {
                throw new IllegalStateException(path + " has no " + text + " after " + TIMEOUT + ": " + page);
            }
            TimeUnit.NANOSECONDS.sleep(POLL_NS);
            page = page(path);
        }
        return page;
    }
}
