package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.monitor.ClientTrace;
import io.penstock.broker.security.Action;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What is told of a client's commands. */
class TraceTest extends AdminFixture {
    private PenstockClient client(final String name) {
        return PenstockClient.connect(ClientConfig.builder(ENDPOINT).name(name).build());
    }

    private String id(final String name) throws IOException, InterruptedException {
        return ok("/api/v1/clients").item("name", name).text("id");
    }

    private Sse trace(final String id) throws IOException {
        return new Sse(admin.endpoint(), "/api/v1/clients/" + id + "/trace");
    }

    @Test
    void shouldTellWhatAClientSendsWhileSomebodyReads() throws Exception {
        try (PenstockClient client = client("traced");
                PenstockClient other = client("other")) {
            client.publish("news", "{\"before\":1}");
            client.flush();
            try (Sse trace = trace(id("traced"))) {
                assertThat(trace.status()).isEqualTo("200");
                other.publish("news", "{\"other\":1}");
                client.subscribe("prices", "price > 1", message -> {});
                client.publish("news", "{\"text\":\"" + "\u00e9".repeat(1000) + "\"}");
                client.publish("prices", "{\"symbol\":\"A\"}");
                client.flush();

                final List<JsonValue> commands = new ArrayList<>();
                do {
                    commands.add(trace.next());
                    assertThat(trace.name()).isEqualTo("command");
                } while (!commands.get(commands.size() - 1).text("command").equals("Flush"));

                assertThat(commands)
                        .extracting(each -> each.text("command").replace("PublishState", "Publish"))
                        .containsExactly("Subscribe", "Publish", "Publish", "Flush");
                assertThat(commands.get(0).text("fields")).contains("prices").contains("price > 1");
                assertThat(commands.get(1).number("bodyBytes")).isEqualTo(2011);
                assertThat(commands.get(1).truth("truncated")).isTrue();
                assertThat(commands.get(1).text("encoding")).isEqualTo("text");
                assertThat(commands.get(1).text("body"))
                        .startsWith("{\"text\":\"\u00e9")
                        .hasSizeBetween(130, 140);
                assertThat(commands.get(2).text("body")).isEqualTo("{\"symbol\":\"A\"}");
                assertThat(commands.get(2).text("fields")).contains("prices");
                assertThat(commands.toString()).doesNotContain("before").doesNotContain("other");
                assertThat(commands.get(0).number("timeMs")).isCloseTo(System.currentTimeMillis(), within());
            }
        }
    }

    private static Offset<Long> within() {
        return Offset.offset(20_000L);
    }

    @Test
    @SuppressWarnings("try") // The client ends before its reader.
    void shouldCountWhatAReaderHasNoRoomForAndEndWithTheClient() throws Exception {
        final int count = 20 * ClientTrace.LENGTH;
        try (PenstockClient client = client("busy")) {
            try (Sse trace = trace(id("busy"))) {
                for (int i = 0; i < count; i++) {
                    client.publish("news", "{}");
                }
                client.flush();
                client.close();
                long told = 0;
                long lost = 0;
                boolean isEnded = false;
                while (!isEnded) {
                    final JsonValue event = trace.next();
                    switch (trace.name()) {
                        case "command" -> told++;
                        case "lost" -> lost += event.number("count");
                        default -> {
                            assertThat(event.text("code")).isEqualTo("CLIENT_GONE");
                            isEnded = true;
                        }
                    }
                }
                assertThat(lost).isPositive();
                // It flushes once more when it is closed.
                assertThat(told + lost).isEqualTo(count + 2);
            }
        }
    }

    @Test
    void shouldHaveOneReaderAndBeOverWhenThatHasGone() throws Exception {
        try (PenstockClient client = client("traced")) {
            final String id = id("traced");
            try (Sse first = trace(id)) {
                assertThat(first.status()).isEqualTo("200");
                try (Sse second = trace(id)) {
                    assertThat(second.status()).isEqualTo("503");
                }
            }
            String status;
            do {
                try (Sse again = trace(id)) {
                    status = again.status();
                }
            } while (status.equals("503"));
            assertThat(status).isEqualTo("200");
            client.publish("news", "{}");
            client.flush();
        }
        assertThat(get("/api/v1/clients/12345/trace").statusCode()).isEqualTo(404);
        assertThat(get("/api/v1/clients/x/trace").statusCode()).isEqualTo(404);
        assertThat(events.toString()).contains("trace client");
    }

    @Test
    void shouldEndWhenItsReaderMayDoSoNoMore() throws Exception {
        try (PenstockClient client = client("traced")) {
            final String id = id("traced");
            try (Sse trace = trace(id)) {
                assertThat(trace.status()).isEqualTo("200");
                broker.permissions((principal, action, topic) -> action != Action.ADMIN_WRITE);
                client.publish("news", "{\"secret\":1}");
                client.flush();
                JsonValue last = trace.next();
                while (!trace.name().equals("end")) {
                    // Sent before the permissions changed.
                    assertThat(last.toString()).doesNotContain("secret");
                    last = trace.next();
                }
                assertThat(last.text("code")).isEqualTo("NOT_AUTHORIZED");
            }
            assertThat(get("/api/v1/clients/" + id + "/trace").statusCode()).isEqualTo(403);
            broker.permissions((principal, action, topic) -> true);
            try (Sse again = trace(id)) {
                assertThat(again.status()).isEqualTo("200");
            }
        }
    }

    /** Nothing is traced for who does not read it. */
    @Test
    void shouldRefuseHead() throws Exception {
        try (PenstockClient client = client("traced")) {
            final String id = id("traced");
            assertThat(send(request("/api/v1/clients/" + id + "/trace")
                                    .method("HEAD", HttpRequest.BodyPublishers.noBody()))
                            .statusCode())
                    .isEqualTo(405);
            try (Sse trace = trace(id)) {
                assertThat(trace.status()).isEqualTo("200");
            }
            client.flush();
        }
    }
}
