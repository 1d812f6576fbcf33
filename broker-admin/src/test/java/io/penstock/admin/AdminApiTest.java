package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.ClientConfig;
import io.penstock.client.Disconnect;
import io.penstock.client.PenstockClient;
import io.penstock.protocol.ErrorCode;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AdminApiTest extends AdminFixture {
    @Test
    void shouldBeReadyWhenTheBrokerServes() throws Exception {
        assertThat(ok("/api/v1/health/live").text("status")).isEqualTo("up");
        assertThat(ok("/api/v1/health/ready").text("status")).isEqualTo("ready");
        broker.close();
        final HttpResponse<String> stopped = get("/api/v1/health/ready");
        assertThat(stopped.statusCode()).isEqualTo(503);
        assertThat(stopped.body()).contains("not_ready").contains("stopped");
        assertThat(get("/api/v1/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldNotBeReadyWhenTheBrokerIsStillToCome() throws Exception {
        admin.close();
        try (AdminServer early = AdminServer.open(config(), Map.of(), null)) {
            admin = early;
            assertThat(get("/api/v1/health/live").statusCode()).isEqualTo(200);
            final HttpResponse<String> ready = get("/api/v1/health/ready");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("starting");
            assertThat(get("/api/v1/info").statusCode()).isEqualTo(503);

            early.attach(broker);

            assertThat(get("/api/v1/health/ready").statusCode()).isEqualTo(200);
            assertThat(get("/api/v1/info").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldTellWhatRuns() throws Exception {
        final JsonValue info = ok("/api/v1/info");
        assertThat(info.number("pid")).isEqualTo(ProcessHandle.current().pid());
        assertThat(info.at("endpoints")).hasToString("[" + ENDPOINT + "]");
        assertThat(ok("/api/v1/config").item("key", "sessions.sessionCountMax").text("value"))
                .isEqualTo(Integer.toString(broker.config().sessions().sessionCountMax()));
        // The rules for tokens are no secrets.
        assertThat(ok("/api/v1/config").item("key", "security.tokens.userClaim").text("value"))
                .isEqualTo("sub");
        assertThat(ok("/api/v1/config").item("key", "admin.listen").text("value"))
                .isEqualTo("http://127.0.0.1:0");
        assertThat(ok("/api/v1/config").item("key", "topics[0].name").text("value"))
                .isEqualTo("prices");
        assertThat(ok("/api/v1/threads").item("name", "penstock-admin").text("state"))
                .isNotEmpty();
        assertThat(ok("/api/v1/log").items()).hasSize(1);
        assertThat(ok("/api/v1/log").items().get(0).text("status")).isEqualTo("none");
    }

    @Test
    void shouldListCountersInPages() throws Exception {
        final List<String> names = new ArrayList<>();
        String cursor = "";
        do {
            final JsonValue page = ok("/api/v1/counters?limit=7&cursor=" + cursor);
            page.items().forEach(each -> names.add(each.text("owner") + "." + each.text("name")));
            cursor = page.has("next") ? page.text("next") : "";
        } while (!cursor.isEmpty());

        final List<String> expected = new ArrayList<>();
        broker.counters().forEach((value, id, label) -> expected.add(label));
        assertThat(names).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void shouldListDeclareAndDeleteTopics() throws Exception {
        try (PenstockClient client = connect()) {
            client.publish("prices", "{\"symbol\":\"A\",\"price\":1}");
            client.publish("news", "{}");
            client.flush();
        }
        assertThat(ok("/api/v1/topics").items())
                .extracting(each -> each.text("name"))
                .containsExactly("news", "prices");
        final JsonValue prices = ok("/api/v1/topics").item("name", "prices");
        assertThat(prices.text("kind")).isEqualTo("state");
        assertThat(prices.number("rows")).isOne();
        assertThat(prices.number("messages")).isOne();
        assertThat(prices.truth("declared")).isTrue();
        assertThat(prices.at("key")).hasToString("[/symbol]");

        final HttpResponse<String> made = post("/api/v1/topics", "{\"name\":\"a/b c\",\"key\":\"/id\"}");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        assertThat(post("/api/v1/topics", "{\"name\":\"a/b c\",\"key\":\"/id\"}")
                        .statusCode())
                .isEqualTo(200);
        final HttpResponse<String> other = post("/api/v1/topics", "{\"name\":\"a/b c\",\"key\":\"/other\"}");
        assertThat(other.statusCode()).as(other.body()).isEqualTo(409);
        assertThat(other.headers().firstValue("Content-Type")).hasValue("application/problem+json");

        final String first = ok("/api/v1/topics?limit=1").text("next");
        assertThat(ok("/api/v1/topics?limit=1&cursor=" + URLEncoder.encode(first, StandardCharsets.UTF_8))
                        .items())
                .extracting(each -> each.text("name"))
                .containsExactly("news");

        assertThat(delete("/api/v1/topics/a%2Fb%20c").statusCode()).isEqualTo(204);
        assertThat(delete("/api/v1/topics/a%2Fb%20c").statusCode()).isEqualTo(404);
        assertThat(ok("/api/v1/topics?prefix=a").items()).isEmpty();
        assertThat(events.toString()).contains("delete topic a/b c");
    }

    @Test
    void shouldDisconnectAClient() throws Exception {
        final CompletableFuture<Disconnect> reason = new CompletableFuture<>();
        try (PenstockClient other = connect();
                PenstockClient victim = PenstockClient.connect(ClientConfig.builder(ENDPOINT)
                        .name("victim")
                        .onDisconnect(disconnect -> !reason.complete(disconnect))
                        .build())) {
            victim.subscribe("prices", "price > 1", message -> {});
            final String id = ok("/api/v1/clients").item("name", "victim").text("id");
            assertThat(ok("/api/v1/subscriptions?client=" + id)
                            .item("filter", "price > 1")
                            .text("topic"))
                    .isEqualTo("prices");

            assertThat(delete("/api/v1/clients/" + id).statusCode()).isEqualTo(204);

            assertThat(reason.get(30, TimeUnit.SECONDS).errorCode()).isEqualTo(ErrorCode.NOT_AUTHORIZED);
            assertThat(delete("/api/v1/clients/" + id).statusCode()).isEqualTo(404);
            assertThat(delete("/api/v1/clients/nobody").statusCode()).isEqualTo(404);
            other.publish("news", "{}");
            other.flush();
        }
    }

    @Test
    void shouldDisableATransport() throws Exception {
        final JsonValue transport = ok("/api/v1/transports").item("scheme", "inproc");
        assertThat(transport.text("id")).isEqualTo("io-0:inproc");
        assertThat(post("/api/v1/transports/io-0:inproc/disable", "").statusCode())
                .isEqualTo(204);
        assertThat(ok("/api/v1/transports").item("scheme", "inproc").truth("enabled"))
                .isFalse();
        assertThat(post("/api/v1/transports/io-0%3Ainproc/enable", "").statusCode())
                .isEqualTo(204);
        assertThat(ok("/api/v1/transports").item("scheme", "inproc").truth("enabled"))
                .isTrue();
        assertThat(post("/api/v1/transports/io-0:carrier-pigeon/enable", "").statusCode())
                .isEqualTo(404);
        connect().close();
    }

    @Test
    void shouldQueryTheState() throws Exception {
        try (PenstockClient client = connect()) {
            for (int i = 0; i < 500; i++) {
                client.publish("prices", "{\"symbol\":\"S" + i + "\",\"price\":" + i + "}");
            }
            client.flush();
        }
        final HttpResponse<String> response = post(
                "/api/v1/query",
                "{\"topic\":\"prices\",\"filter\":\"price >= 100\",\"orderBy\":\"price DESC\",\"limit\":300}");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/x-ndjson");
        final List<JsonValue> lines =
                response.body().lines().map(JsonValue::parse).toList();
        assertThat(lines).hasSize(301);
        assertThat(lines.get(0).at("record").text("payload")).contains("499");
        assertThat(lines.get(299).at("record").text("payload")).contains("200");
        // Whole milliseconds, as all times of the API are.
        assertThat(lines.get(0).at("record").number("timeMs")).isBetween(1_600_000_000_000L, 9_999_999_999_999L);
        assertThat(response.body()).doesNotContainPattern("\"timeMs\":\\d*[.E]");
        assertThat(lines.get(300).at("done").number("returned")).isEqualTo(300);

        final HttpResponse<String> bad = post("/api/v1/query", "{\"topic\":\"prices\",\"filter\":\"price >\"}");
        assertThat(bad.statusCode()).as(bad.body()).isEqualTo(400);
        assertThat(bad.body()).contains("BAD_FILTER");
        assertThat(post("/api/v1/query", "{\"topic\":\"none\"}").statusCode()).isIn(404, 409);
        assertThat(post("/api/v1/query", "{\"topic\":\"prices\",\"limit\":100000}")
                        .statusCode())
                .isEqualTo(400);
        final HttpResponse<String> grouped =
                post("/api/v1/query", "{\"topic\":\"prices\",\"select\":\"COUNT(*) AS n\",\"filter\":\"price < 10\"}");
        assertThat(grouped.body()).contains("\\\"n\\\":10").doesNotContain("explanation");
        final String join = "\"join\":\"JOIN prices AS other ON /prices/price = /other/price\"";
        assertThat(post("/api/v1/query", "{\"topic\":\"prices\"," + join + ",\"select\":\"COUNT(*) AS n\"}")
                        .body())
                .contains("\\\"n\\\":500");
        final HttpResponse<String> explained =
                post("/api/v1/query", "{\"topic\":\"prices\",\"filter\":\"price < 10\",\"limit\":1,\"explain\":true}");
        assertThat(explained.body())
                .contains("\"explanation\":\"query: ")
                .contains("price < 10: filter (less than 4096 rows)");
        assertThat(post("/api/v1/query", "{\"topic\":\"prices\",\"explain\":1}").body())
                .contains("explain: neither true nor false");
    }

    @Test
    void shouldSayThatAQueryIsWrongWhereTheBrokerHasNoSuchQuery() throws Exception {
        final String join = "\"join\":\"JOIN prices AS other ON /prices/price = /other/price\",\"select\":\"COUNT(*)\"";
        for (final String fields :
                List.of("\"asOf\":\"0:1\"," + join, "\"asOf\":\"0:1\"", "\"asOf\":\"2999-01-01T00:00:00Z\"")) {
            final HttpResponse<String> refused = post("/api/v1/query", "{\"topic\":\"prices\"," + fields + "}");
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
            assertThat(refused.body()).contains("\"code\":\"NOT_SUPPORTED\"");
        }
    }

    @Test
    void shouldRefuseHalfOfASurrogatePair() throws Exception {
        for (final String half : List.of("\\ud800", "a\\udc00", "\\ude00\\ud83d", "\\ud83d\\ud83d\\ude00")) {
            for (final String field : List.of("topic", "filter", "select", "orderBy", "groupBy", "having", "join")) {
                final String topic = field.equals("topic") ? "" : "\"topic\":\"prices\",";
                final HttpResponse<String> refused =
                        post("/api/v1/query", "{" + topic + "\"" + field + "\":\"symbol = '" + half + "'\"}");
                assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
                assertThat(refused.body())
                        .contains("\"code\":\"BAD_QUERY\"")
                        .contains(field + ": half of a surrogate pair at ");
            }
        }
        assertThat(post("/api/v1/topics", "{\"name\":\"\\ud800\"}").body())
                .contains("\"code\":\"BAD_BODY\"")
                .contains("name: half of a surrogate pair at 0");
        assertThat(post("/api/v1/query", "{\"topic\":\"prices\",\"filter\":\"symbol = '\\ud83d\\ude00\\ufffd'\"}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldListAndDropColumns() throws Exception {
        try (PenstockClient client = connect()) {
            for (int i = 0; i < 4_200; i++) {
                client.publish("prices", "{\"symbol\":\"S" + i + "\",\"price\":" + i + "}");
            }
            client.flush();
        }
        assertThat(ok("/api/v1/columns").items()).isEmpty();
        assertThat(post("/api/v1/query", "{\"topic\":\"prices\",\"filter\":\"price < 10 AND symbol = 'S1'\"}")
                        .statusCode())
                .isEqualTo(200);
        final JsonValue first = ok("/api/v1/columns?limit=1");
        assertThat(first.items()).extracting(each -> each.text("field")).containsExactly("price");
        final JsonValue symbol =
                ok("/api/v1/columns?topic=prices&cursor=" + first.text("next")).item("field", "symbol");
        assertThat(symbol.text("topic")).isEqualTo("prices");
        assertThat(symbol.number("rows")).isEqualTo(4_200);
        assertThat(symbol.number("texts")).isEqualTo(4_200);
        assertThat(symbol.number("scans")).isPositive();
        assertThat(symbol.number("bytes")).isPositive();
        assertThat(symbol.truth("named")).isFalse();
        assertThat(ok("/api/v1/columns?topic=news").items()).isEmpty();
        assertThat(get("/api/v1/columns?cursor=x").statusCode()).isEqualTo(400);

        assertThat(delete("/api/v1/columns/prices?field=price").statusCode()).isEqualTo(204);
        assertThat(delete("/api/v1/columns/prices?field=price").statusCode()).isEqualTo(404);
        assertThat(delete("/api/v1/columns/prices?field=%28").statusCode()).isEqualTo(400);
        assertThat(delete("/api/v1/columns/prices").statusCode()).isEqualTo(204);
        assertThat(delete("/api/v1/columns/news").statusCode()).isEqualTo(404);
        assertThat(ok("/api/v1/columns").items()).noneMatch(each -> !each.truth("going"));
    }

    @Test
    void shouldServeWhatTheDocumentSays() throws Exception {
        final JsonValue document = ok("/api/v1/openapi.json");
        final TreeSet<String> documented = new TreeSet<>();
        document.at("paths")
                .object()
                .forEach((path, operations) -> ((Map<?, ?>) operations)
                        .keySet()
                        .forEach(method -> documented.add(method.toString().toUpperCase(Locale.ROOT) + " " + path)));

        assertThat(admin.served()).isEqualTo(documented);
    }
}
