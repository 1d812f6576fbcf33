package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Role;
import io.penstock.client.AckType;
import io.penstock.client.PenstockClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StreamsTest extends AdminFixture {
    private static final int STREAM_COUNT_MAX = 50;

    /** With 10,000 bytes each, more than a socket of this machine holds. */
    private static final int MESSAGE_COUNT = 1000;

    @Override
    AdminConfig config() {
        final AdminConfig given = AdminConfig.listening("http://127.0.0.1:0");
        return new AdminConfig(
                given.listen(),
                List.of(),
                false,
                2 * STREAM_COUNT_MAX,
                STREAM_COUNT_MAX,
                3,
                2,
                given.bodyLengthMax(),
                given.requestTimeoutMs(),
                given.idleTimeoutMs(),
                given.sessionTimeoutMs(),
                false);
    }

    private Sse open(final String path, final String... headers) throws IOException {
        return new Sse(admin.endpoint(), path, headers);
    }

    @Test
    void shouldSendFiguresEachSecond() throws Exception {
        try (Sse stream = open("/api/v1/stream/stats");
                PenstockClient client = connect()) {
            assertThat(stream.status()).isEqualTo("200");
            stream.next();
            for (int i = 0; i < 1000; i++) {
                client.publish("news", "{}");
            }
            client.flush();
            double count = 0;
            JsonValue figures;
            do {
                figures = stream.next();
                assertThat(stream.name()).isEqualTo("stats");
                count += figures.decimal("messagesIn") * figures.decimal("intervalMs") / 1e3;
            } while (count < 999.5);
            assertThat(count).isBetween(999.5, 1000.5);
            assertThat(figures.number("connections")).isEqualTo(1);
            final JsonValue cycles = figures.at("times").at("dutyCycle");
            assertThat(cycles.at("counts").list())
                    .hasSize(cycles.at("leUs").list().size() + 1);
            assertThat(cycles.at("leUs").list().get(1)).hasToString("2");
            assertThat(figures.at("times").object()).containsKeys("delivery", "query");
            assertThat(figures.number("adminClients")).isEqualTo(1);
            assertThat(figures.text("journalStatus")).isEqualTo("none");
            assertThat(figures.number("dropped")).isZero();
        }
    }

    @Test
    void shouldSayWhyATailEndsWhenPermissionsChange() throws Exception {
        try (Sse tail = open("/api/v1/stream/tail?topic=prices")) {
            assertThat(tail.status()).isEqualTo("200");
            broker.permissions(Permissions.of(List.of(
                    new Role(Role.EVERYONE, List.of(PermissionRule.allow(List.of("read"), List.of("other"), ""))))));
            final JsonValue end = tail.next();

            assertThat(tail.name()).isEqualTo("end");
            assertThat(end.text("code")).isEqualTo("NOT_AUTHORIZED");
            assertThat(end.number("status")).isEqualTo(403);
        }
    }

    @Test
    void shouldGoOnWithWhatATailMaySeeWhenPermissionsChange() throws Exception {
        try (PenstockClient client = connect();
                Sse tail = open("/api/v1/stream/tail?topic=prices")) {
            assertThat(tail.status()).isEqualTo("200");
            broker.permissions(Permissions.of(List.of(new Role(
                    Role.EVERYONE,
                    List.of(
                            PermissionRule.allow(List.of("read"), List.of("prices"), "price > 100"),
                            PermissionRule.allow(List.of("write"), List.of("prices"), ""))))));
            while (!broker.arePermissionsApplied()) {
                Thread.onSpinWait();
            }
            client.publish("prices", "{\"symbol\":\"A\",\"price\":1}");
            client.publish("prices", "{\"symbol\":\"A\",\"price\":101}");
            client.flush();

            assertThat(tail.next().text("payload")).isEqualTo("{\"symbol\":\"A\",\"price\":101}");
        }
    }

    @Test
    void shouldRefuseStreamsBeyondTheBoundAndServeTheOthers() throws Exception {
        final List<Sse> streams = new ArrayList<>();
        try {
            for (int i = 0; i < STREAM_COUNT_MAX; i++) {
                streams.add(open("/api/v1/stream/stats"));
                assertThat(streams.get(i).status()).isEqualTo("200");
            }
            try (Sse beyond = open("/api/v1/stream/stats")) {
                assertThat(beyond.status()).isEqualTo("503");
            }
            for (final Sse stream : streams) {
                assertThat(stream.next().number("adminClients")).isPositive();
            }
        } finally {
            for (final Sse stream : streams) {
                stream.close();
            }
        }
        String status;
        do {
            try (Sse again = open("/api/v1/stream/stats")) {
                status = again.status();
            }
        } while (status.equals("503"));
        assertThat(status).isEqualTo("200");
    }

    @Test
    void shouldFollowATopicWithAFilterAndGoOnAfterALostConnection() throws Exception {
        try (PenstockClient client = connect()) {
            final String last;
            try (Sse tail = open("/api/v1/stream/tail?topic=prices&filter=price%20%3E%2010")) {
                client.publish("prices", "{\"symbol\":\"A\",\"price\":1}");
                client.publish("prices", "{\"symbol\":\"B\",\"price\":11}", AckType.PROCESSED)
                        .get(30, TimeUnit.SECONDS);
                final JsonValue message = tail.next();
                assertThat(tail.name()).isEqualTo("message");
                assertThat(message.text("payload")).isEqualTo("{\"symbol\":\"B\",\"price\":11}");
                assertThat(message.text("encoding")).isEqualTo("text");
                assertThat(message.text("bookmark"))
                        .isEqualTo("0:" + message.text("bookmark").substring(2));
                last = tail.id();
            }
            client.publish("prices", "{\"symbol\":\"C\",\"price\":12}");
            client.publish("prices", "{\"symbol\":\"D\",\"price\":2}");
            client.publish("prices", "{\"symbol\":\"E\",\"price\":13}");
            client.flush();
            try (Sse again =
                    open("/api/v1/stream/tail?topic=prices&filter=price%20%3E%2010", "Last-Event-ID: " + last)) {
                assertThat(again.next().text("payload")).contains("\"C\"");
                assertThat(again.next().text("payload")).contains("\"E\"");
            }
            try (Sse all = open("/api/v1/stream/tail?topic=p.*&pattern=true&from=epoch&to=now")) {
                for (int i = 0; i < 5; i++) {
                    assertThat(all.next().text("topic")).isEqualTo("prices");
                }
                assertThat(all.next().text("code")).isEqualTo("COMPLETED");
                assertThat(all.name()).isEqualTo("end");
            }
        }
    }

    @Test
    void shouldShowHostilePayloadAsItIs() throws Exception {
        final byte[] binary = {0, (byte) 0xff, 10, 13, (byte) 0xc0};
        try (PenstockClient client = connect();
                Sse tail = open("/api/v1/stream/tail?topic=raw")) {
            client.declareTopic("raw", "binary");
            client.publish("raw", "a\n\ndata: {\"x\":1}\n\nevent: end\n\u2028</script>");
            client.publish("raw", binary);
            client.publish("raw", "\u00e9".repeat(100_000));
            client.flush();
            assertThat(tail.next().text("payload")).isEqualTo("a\n\ndata: {\"x\":1}\n\nevent: end\n\u2028</script>");
            final JsonValue raw = tail.next();
            assertThat(raw.text("encoding")).isEqualTo("base64");
            assertThat(Base64.getDecoder().decode(raw.text("payload"))).isEqualTo(binary);
            final JsonValue cut = tail.next();
            assertThat(cut.truth("truncated")).isTrue();
            assertThat(cut.number("bytes")).isEqualTo(200_000);
        }
    }

    /** The broker keeps what the reader does not take; publishers and other readers go on. */
    @Test
    void shouldNotQueueWithoutBoundForAReaderThatIsSlow() throws Exception {
        final String payload = "{\"text\":\"" + "x".repeat(10_000) + "\"}";
        try (PenstockClient client = connect();
                Sse slow = open("/api/v1/stream/tail?topic=news");
                Sse quick = open("/api/v1/stream/tail?topic=news")) {
            assertThat(slow.status()).isEqualTo("200");
            for (int i = 0; i < MESSAGE_COUNT; i++) {
                client.publish("news", payload);
                if (i % 100 == 0) {
                    client.flush();
                    quick.next();
                }
            }
            client.flush();
            // What is delivered to the slow one is its credit, and what its medium has room for; the rest is in the
            // log.
            final JsonValue clients = ok("/api/v1/subscriptions");
            final long least = clients.items().stream()
                    .mapToLong(each -> each.number("deliveries"))
                    .min()
                    .orElseThrow();
            assertThat(least).isLessThan(MESSAGE_COUNT);
            for (int i = 0; i < MESSAGE_COUNT; i++) {
                assertThat(slow.next().number("bytes")).isEqualTo(payload.length());
            }
        }
    }

    @Test
    void shouldRefuseTailsBeyondTheBoundAndForgetThoseThatEnd() throws Exception {
        final List<Sse> tails = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            tails.add(open("/api/v1/stream/tail?topic=news"));
        }
        try (Sse beyond = open("/api/v1/stream/tail?topic=news")) {
            assertThat(beyond.status()).isEqualTo("503");
        }
        for (final Sse tail : tails) {
            tail.close();
        }
        String status;
        do {
            try (Sse again = open("/api/v1/stream/tail?topic=news")) {
                status = again.status();
            }
        } while (status.equals("503"));
        assertThat(status).isEqualTo("200");
        // Their clients go as well.
        while (ok("/api/v1/clients").items().size() > 0) {
            Thread.onSpinWait();
        }
    }
}
