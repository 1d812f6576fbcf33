package io.penstock.system.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.client.AckType;
import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.client.RecordKind;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Topic;
import io.penstock.format.header.Headers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers outlast the broker, whether it comes back from the log or from a snapshot. */
@Timeout(60)
class HeadersRecoveryTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRecoverHeadersOfStateAndLog(final boolean bySnapshot) {
        final Map<String, String> before;
        try (Broker broker = launch();
                PenstockClient client = connect(broker)) {
            client.declareTopic(Topic.json("fields").key("id"));
            client.declareTopic(Topic.binary("given").key("*"));
            client.declareTopic(Topic.json("headers").key("HEADER('region'), id"));
            for (int i = 0; i < 200; i++) {
                final Headers headers = Headers.builder()
                        .put("n", i)
                        .put("region", i % 3 == 0 ? "EU" : "US")
                        .put("bytes", new byte[i])
                        .build();
                final Publication message = Publication.to("fields").text("{\"id\":" + i % 50 + "}");
                client.publish(i % 7 == 0 ? message : message.headers(headers));
                client.publish(Publication.to("given")
                        .text("v" + i)
                        .key("k" + i % 20)
                        .headers(headers)
                        .expiration(Duration.ofHours(1)));
                client.publish(Publication.to("headers")
                        .text("{\"id\":" + i % 10 + ",\"n\":" + i + "}")
                        .headers(headers));
            }
            client.sowDelete("headers", "id = 3 AND HEADER('region') = 'EU'");
            client.publish(
                            Publication.to("fields")
                                    .text("{\"id\":1,\"x\":1}")
                                    .delta()
                                    .header("n", 1_000),
                            AckType.PERSISTED)
                    .join();
            before = state(client);
            if (bySnapshot) {
                broker.snapshot();
                while (broker.counter("snapshots") == 0) {
                    Thread.onSpinWait();
                }
            }
        }
        try (Broker broker = launch();
                PenstockClient client = connect(broker)) {
            assertThat(state(client)).isEqualTo(before).hasSize(50 + 20 + 19);
            final MessageStream replay =
                    client.stream(ReplayRequest.topic("given").filter("HEADER('n') = 199"));
            final Message last = BrokerFixture.taken(replay);
            assertThat(last.text() + last.key()).isEqualTo("v199k19");
            assertThat(last.headers().bytes("bytes")).hasSize(199);
            final MessageStream deletes = client.stream(SubscribeRequest.topic("headers")
                    .filter("HEADER('region') = 'US'")
                    .sow()
                    .oof());
            final String key = BrokerFixture.taken(deletes).key();
            assertThat(client.sowDelete("headers", List.of(key))).isEqualTo(1);
            Message next;
            do {
                next = BrokerFixture.taken(deletes);
            } while (next.kind() == RecordKind.STATE);
            assertThat(next.key()).isEqualTo(key);
            assertThat(next.headers().text("region")).isEqualTo("US");
        }
    }

    @Test
    void shouldFindTheStateAsItWasWithItsHeaders() {
        try (Broker broker = launch();
                PenstockClient client = connect(broker)) {
            client.declareTopic(Topic.json("fields").key("id"));
            final var ack = client.publish(
                            Publication.to("fields").text("{\"id\":1}").header("n", 1), AckType.PERSISTED)
                    .join();
            client.publish(Publication.to("fields").text("{\"id\":1}").header("n", 2), AckType.PERSISTED)
                    .join();
            final List<Message> past = client.sow(
                            SowRequest.topic("fields").filter("HEADER('n') = 1").asOf(ack.bookmark()))
                    .messages();
            assertThat(past)
                    .singleElement()
                    .satisfies(message ->
                            assertThat(message.headers().number("n", 0)).isEqualTo(1));
        }
    }

    private Broker launch() {
        return Broker.launch(BrokerConfig.builder()
                .listen("inproc:headers-recovery-test")
                .journal(JournalConfig.in(directory.toString()))
                .build());
    }

    private static PenstockClient connect(final Broker broker) {
        return PenstockClient.connect(broker.endpoints().get(0).toString());
    }

    private static Map<String, String> state(final PenstockClient client) {
        final Map<String, String> state = new TreeMap<>();
        for (final String topic : List.of("fields", "given", "headers")) {
            for (final Message each : client.sow(SowRequest.topic(topic)).messages()) {
                state.put(topic + " " + each.key(), each.sequence() + " " + each.text() + " " + each.headers());
            }
        }
        return state;
    }
}
