package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused, while others are served. */
class BadRequestTest extends AdminFixture {
    private static final String HOST = "Host: localhost\r\n";
    private static final String OWN = "X-Penstock-Request: 1\r\n";
    private static final String JSON = "Content-Type: application/json\r\n";

    @Override
    AdminConfig config() {
        final AdminConfig given = AdminConfig.listening("http://127.0.0.1:0");
        return new AdminConfig(
                given.listen(),
                List.of("broker.example"),
                false,
                8,
                4,
                2,
                2,
                1024,
                500,
                500,
                given.sessionTimeoutMs(),
                false);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    GET /api/v1/info HTTP/1.1          | Host: localhost                                    | 200
                    GET /api/v1/info HTTP/1.1          | Host: 127.0.0.1:9180                               | 200
                    GET /api/v1/info HTTP/1.1          | Host: [::1]:9180                                   | 200
                    GET /api/v1/info HTTP/1.1          | Host: Broker.Example                               | 200
                    GET /api/v1/info HTTP/1.1          | Host: evil.example                                 | 421
                    GET /api/v1/info HTTP/1.1          | Host: localhost.evil.example                       | 421
                    GET /api/v1/info HTTP/1.1          | X-Forwarded-Host: localhost                        | 400
                    GET /api/v1/info HTTP/1.1          | Host: 127.0.0.1:9180@evil.example                  | 400
                    GET /api/v1/info HTTP/1.1          | Host: localhost@evil.example                       | 400
                    GET /api/v1/info HTTP/1.1          | Host: localhost:                                   | 400
                    GET /api/v1/info HTTP/1.1          | Host: [::1]x                                       | 400
                    GET /api/v1/info HTTP/1.1          | Host: localhost~X-A: b~ c                          | 400
                    GET /api/v1/info HTTP/1.1          | Host: localhost~X-A: b~  Origin: null              | 400
                    GET /api/v1/info HTTP/1.1          | Host: localhost~Host: evil.example                 | 400
                    GET /api/v1/info HTTP/1.1          | Host: localhost~Origin: http://evil.example        | 403
                    GET /api/v1/info HTTP/1.1          | Host: localhost~Origin: null                       | 403
                    GET /api/v1/info HTTP/1.1          | Host: localhost~Origin: https://localhost          | 403
                    GET /api/v1/info HTTP/1.1          | Host: localhost:1~Origin: http://localhost:1       | 200
                    GET /api/v1/info HTTP/1.1          | Host: localhost~Sec-Fetch-Site: cross-site         | 403
                    GET http://evil.example/ HTTP/1.1  | Host: localhost                                    | 400
                    GET /api/v1/../v1/info HTTP/1.1    | Host: localhost                                    | 400
                    GET /console/../../etc/passwd HTTP/1.1 | Host: localhost                                | 400
                    GET /console/%2e%2e/%2e%2e/etc/passwd HTTP/1.1 | Host: localhost                        | 400
                    GET /console/..%2f..%2fetc%2fpasswd HTTP/1.1 | Host: localhost                          | 404
                    GET /console/%2fetc/passwd HTTP/1.1 | Host: localhost                                   | 404
                    GET /%zz HTTP/1.1                  | Host: localhost                                    | 400
                    GET /%c0%ae HTTP/1.1               | Host: localhost                                    | 400
                    GET /%00 HTTP/1.1                  | Host: localhost                                    | 400
                    GET /api/v1/counters?limit=0 HTTP/1.1 | Host: localhost                                 | 400
                    GET /api/v1/counters?limit=x HTTP/1.1 | Host: localhost                                 | 400
                    GET /api/v1/counters?limit=1&limit=2 HTTP/1.1 | Host: localhost                         | 400
                    GET /api/v1/clients?cursor=x HTTP/1.1 | Host: localhost                                 | 400
                    GET /api/v1/stream/tail HTTP/1.1   | Host: localhost                                    | 400
                    GET /api/v1/stream/tail?topic=a&from=x HTTP/1.1 | Host: localhost                       | 400
                    GET /api/v1/stream/tail?topic=a&filter=%28 HTTP/1.1 | Host: localhost                   | 400
                    GET /api/v1/stream/tail?topic=a&fliter=b HTTP/1.1 | Host: localhost                     | 400
                    GET /api/v1/info?verbose=true HTTP/1.1 | Host: localhost                                | 400
                    HEAD /api/v1/stream/stats HTTP/1.1 | Host: localhost                                    | 405
                    GET /nothing HTTP/1.1              | Host: localhost                                    | 404
                    GET /api/v1/topics/prices HTTP/1.1 | Host: localhost                                    | 405
                    PUT /api/v1/topics HTTP/1.1        | Host: localhost                                    | 405
                    TRACE / HTTP/1.1                   | Host: localhost                                    | 405
                    CONNECT evil.example:80 HTTP/1.1   | Host: localhost                                    | 400
                    OPTIONS /api/v1/topics HTTP/1.1    | Host: localhost~Origin: http://evil.example        | 405
                    DELETE /api/v1/topics/prices HTTP/1.1 | Host: localhost                                 | 403
                    POST /api/v1/topics HTTP/1.1       | Host: localhost~Content-Length: 2~~{}              | 403
                    POST /api/v1/topics HTTP/1.1       | Host: localhost~X-Penstock-Request: 1~Content-Type: text/plain~Content-Length: 2~~{} | 415
                    POST /api/v1/topics HTTP/1.1       | Host: localhost~X-Penstock-Request: 1~Content-Type: application/json~Content-Length: 2~~{} | 400
                    POST /api/v1/topics HTTP/1.1       | Host: localhost~X-Penstock-Request: 1~Content-Type: application/json~Content-Length: 2~~[] | 400
                    POST /api/v1/topics HTTP/1.1       | Host: localhost~X-Penstock-Request: 1~Content-Type: application/json~Content-Length: 9~~{"x":"y"} | 400
                    POST /api/v1/topics HTTP/1.1       | Host: localhost~X-Penstock-Request: 1~Content-Type: application/json~Content-Length: 22~~{"name":{"a":{"b":1}}} | 400
                    POST /api/v1/topics HTTP/1.1       | Host: localhost~X-Penstock-Request: 1~Content-Type: application/json~Content-Length: 10~~{"name":1} | 400
                    POST /api/v1/topics HTTP/1.1       | Host: localhost~X-Penstock-Request: 1~Content-Type: application/json~Content-Length: 99999999999 | 413
                    POST /api/v1/topics HTTP/1.1       | Host: localhost~X-Penstock-Request: 1~Content-Length: -1 | 400
                    POST /api/v1/topics HTTP/1.1       | Host: localhost~X-Penstock-Request: 1~Content-Length: 2~Content-Length: 3 | 400
                    GET /api/v1/info HTTP/1.1          | Host: localhost~Authorization: Basic YTpi~Authorization: Basic YTpi | 400
                    GET /api/v1/info HTTP/1.1          | Host: localhost~Authorization: Bearer a.b.c~Authorization: Bearer a.b.c | 400
                    GET /api/v1/info HTTP/1.1          | Host: localhost~Authorization: Basic YTpi~Authorization: Bearer a.b.c | 400
                    HEAD /api/v1/clients/1/trace HTTP/1.1 | Host: localhost                                 | 405
                    GET /api/v1/info HTTP/2.7          | Host: localhost                                    | 505
                    GET /api/v1/info SMTP              | Host: localhost                                    | 400
                    EHLO                               | Host: localhost                                    | 400
                    """)
    void shouldAnswer(final String line, final String headers, final String status) throws IOException {
        final boolean hasBody = headers.contains("~~");
        final String rest = headers.replace("~", "\r\n");
        try (RawHttp connection = new RawHttp(admin.endpoint())) {
            connection.send(line + "\r\nConnection: close\r\n" + rest + (hasBody ? "" : "\r\n\r\n"));
            final String answer = connection.all();
            assertThat(answer.split(" ", 3)[1]).as(answer).isEqualTo(status);
            assertThat(answer)
                    .contains("Cache-Control: no-store")
                    .contains("X-Content-Type-Options: nosniff")
                    .contains("frame-ancestors 'none'")
                    .doesNotContain("Access-Control-Allow");
            if (!status.equals("200") && !line.startsWith("HEAD")) {
                assertThat(answer).contains("application/problem+json").contains("\"detail\":");
            }
        }
        assertServed();
    }

    /** What a client sees of it is what comes before the body of a GET, on a connection that goes on. */
    @Test
    void shouldAnswerHeadWithoutABodyWhereGetIs() throws Exception {
        for (final String path : List.of("/api/v1/info", "/api/v1/health/live", "/api/v1/openapi.json", "/console/")) {
            final var head = send(request(path).method("HEAD", java.net.http.HttpRequest.BodyPublishers.noBody()));
            final var whole = get(path);

            assertThat(head.statusCode()).as(path).isEqualTo(whole.statusCode()).isEqualTo(200);
            assertThat(head.body()).as(path).isEmpty();
            assertThat(head.headers().firstValue("Content-Type"))
                    .isEqualTo(whole.headers().firstValue("Content-Type"));
            if (!path.equals("/api/v1/info")) {
                assertThat(head.headers().firstValue("Content-Length"))
                        .as(path)
                        .isEqualTo(whole.headers().firstValue("Content-Length"));
            }
        }
        try (RawHttp connection = new RawHttp(admin.endpoint())) {
            final String read = " /api/v1/health/live HTTP/1.1\r\n" + HOST;
            connection.send("HEAD" + read + "\r\n");
            assertThat(connection.line()).startsWith("HTTP/1.1 200");
            for (String line = connection.line(); !line.isEmpty(); line = connection.line()) {
                assertThat(line).contains(": ");
            }
            connection.send("GET" + read + "Connection: close\r\n\r\n");
            assertThat(connection.all()).startsWith("HTTP/1.1 200");
        }
        assertThat(send(request("/api/v1/topics/x").method("HEAD", java.net.http.HttpRequest.BodyPublishers.noBody()))
                        .statusCode())
                .isEqualTo(405);
    }

    @Test
    void shouldNameTheParametersThatThereAreWhenAnotherIsGiven() throws Exception {
        assertThat(get("/api/v1/stream/tail?topic=a&fliter=b").body())
                .contains("fliter: no such parameter (use filter, from, pattern, to, topic)");
        assertThat(get("/api/v1/info?x=1").body()).contains("x: no such parameter (there is none here)");
    }

    private void assertServed() throws IOException {
        try (RawHttp other = new RawHttp(admin.endpoint())) {
            other.send("GET /api/v1/health/ready HTTP/1.1\r\n" + HOST + "\r\n");
            assertThat(other.status()).isEqualTo("200");
        }
    }

    @Test
    void shouldRefuseWhatIsTooLong() throws IOException {
        final String longText = "x".repeat(20_000);
        assertThat(status("GET /" + longText + " HTTP/1.1\r\n" + HOST + "\r\n")).isEqualTo("414");
        assertThat(status("GET / HTTP/1.1\r\n" + HOST + "X: " + longText + "\r\n\r\n"))
                .isEqualTo("431");
        assertThat(status("POST /api/v1/topics HTTP/1.1\r\n" + HOST + OWN + JSON
                        + "Transfer-Encoding: chunked\r\n\r\n800\r\n" + "x".repeat(0x800) + "\r\n0\r\n\r\n"))
                .isEqualTo("413");
        assertServed();
    }

    private String status(final String request) throws IOException {
        try (RawHttp connection = new RawHttp(admin.endpoint())) {
            return connection.send(request).status();
        }
    }

    @Test
    void shouldEndConnectionsThatAreSlowOrIdle() throws IOException {
        try (RawHttp silent = new RawHttp(admin.endpoint());
                RawHttp slow = new RawHttp(admin.endpoint());
                RawHttp withoutBody = new RawHttp(admin.endpoint());
                RawHttp idle = new RawHttp(admin.endpoint())) {
            slow.send("GET / HTTP/1.1\r\nHost: loc");
            withoutBody.send(
                    "POST /api/v1/query HTTP/1.1\r\n" + HOST + OWN + JSON + "Content-Length: 100\r\n\r\n{\"topic\"");
            idle.send("GET /api/v1/health/live HTTP/1.1\r\n" + HOST + "\r\n");

            assertThat(silent.all()).startsWith("HTTP/1.1 408");
            assertThat(slow.all()).startsWith("HTTP/1.1 408");
            assertThat(withoutBody.all()).startsWith("HTTP/1.1 408");
            assertThat(idle.all()).startsWith("HTTP/1.1 200").doesNotContain("408");
        }
        assertServed();
    }

    @Test
    void shouldRefuseAPipelineButServeOneAfterTheOther() throws Exception {
        final String request = "GET /api/v1/threads HTTP/1.1\r\n" + HOST + "\r\n";
        try (RawHttp connection = new RawHttp(admin.endpoint())) {
            connection.send(request + request);
            assertThat(connection.all()).contains("PIPELINED");
        }
        assertThat(get("/api/v1/info").statusCode()).isEqualTo(200);
        assertThat(get("/api/v1/info").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldTurnAwayConnectionsBeyondTheBound() throws IOException {
        final List<RawHttp> open = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                final RawHttp connection = new RawHttp(admin.endpoint());
                open.add(connection);
                connection.send("GET /api/v1/health/live HTTP/1.1\r\n" + HOST + "\r\n");
                assertThat(connection.status()).isEqualTo("200");
            }
            try (RawHttp beyond = new RawHttp(admin.endpoint())) {
                assertThat(beyond.all()).startsWith("HTTP/1.1 503").contains("TOO_MANY_CONNECTIONS");
            }
        } finally {
            for (final RawHttp connection : open) {
                connection.close();
            }
        }
    }

    @Test
    void shouldCountAndLogWhatIsRefused() throws Exception {
        assertThat(status("GET /api/v1/info HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
                .isEqualTo("421");
        final HttpResponse<String> metrics = get("/metrics");
        assertThat(metrics.body()).contains("penstock_admin_requests_refused_total{status=\"421\"} 1");
        broker.close();
        assertThat(events.toString()).contains("evil.example");
    }
}
