package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.BrokerError;
import io.penstock.client.RecordKind;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Subscriptions that get one change of each key in an interval. */
class ConflationTest {
    private static final int INTERVAL_MS = 100;
    private static final int SEEDS =
            Integer.getInteger("penstock.seeds", Boolean.getBoolean("penstock.second") ? 15 : 40);

    /** Makes each message different. */
    private int number;

    private final TestBroker broker = new TestBroker();
    private final StateClient client = new StateClient(broker);

    @BeforeEach
    void declare() {
        client.declare("orders", "id", 0);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void shouldSendTheNewestOfTheRecordsWithTheSameKey() {
        client.subscribe(1, SubscribeRequest.topic("orders").conflation(Duration.ofMillis(INTERVAL_MS), "s"));
        publish("{\"id\":1,\"s\":\"IBM\",\"p\":1}");
        publish("{\"id\":2,\"s\":\"IBM\",\"p\":2}");
        publish("{\"id\":3,\"s\":\"SAP\",\"p\":3}");
        publish("{\"id\":1,\"s\":\"IBM\",\"p\":4}");
        assertThat(interval())
                .containsExactlyInAnyOrder(
                        "1 MESSAGE {\"id\":1,\"s\":\"IBM\",\"p\":4}", "1 MESSAGE {\"id\":3,\"s\":\"SAP\",\"p\":3}");
        publish("{\"id\":2,\"s\":\"IBM\",\"p\":5}");
        assertThat(interval()).containsExactly("1 MESSAGE {\"id\":2,\"s\":\"IBM\",\"p\":5}");
    }

    @Test
    void shouldMergeByTheValuesThatRecordsHaveAtTheEnd() {
        client.subscribe(
                1, SubscribeRequest.topic("orders").conflation(Duration.ofMillis(INTERVAL_MS), "s, /at/venue"));
        publish("{\"id\":1,\"s\":\"IBM\",\"at\":{\"venue\":1}}");
        publish("{\"id\":2,\"s\":\"IBM\",\"at\":{\"venue\":1.0}}");
        publish("{\"id\":3,\"s\":\"IBM\",\"at\":{\"venue\":\"1\"}}");
        publish("{\"id\":1,\"s\":\"SAP\",\"at\":{\"venue\":1}}");
        assertThat(interval()).hasSize(3);
    }

    @Test
    void shouldMergeNothingThatHasNoSuchKey() {
        client.subscribe(1, SubscribeRequest.topic("orders").conflation(Duration.ofMillis(INTERVAL_MS), "s"));
        publish("{\"id\":1}");
        publish("{\"id\":2,\"s\":null}");
        publish("{\"id\":3,\"s\":[1]}");
        publish("{\"id\":4,\"s\":{\"a\":1}}");
        publish("{\"id\":5,\"s\":\"" + "x".repeat(2000) + "\"}");
        publish("{\"id\":6,\"s\":1e999}");
        assertThat(interval()).hasSize(6);
    }

    @Test
    void shouldReportEachRecordThatGoesOutOfFocus() {
        client.subscribe(
                1,
                SubscribeRequest.topic("orders").filter("p > 0").oof().conflation(Duration.ofMillis(INTERVAL_MS), "s"));
        publish("{\"id\":1,\"s\":\"IBM\",\"p\":1}");
        assertThat(interval()).hasSize(1);
        publish("{\"id\":2,\"s\":\"IBM\",\"p\":2}");
        assertThat(interval()).hasSize(1);
        publish("{\"id\":3,\"s\":\"IBM\",\"p\":3}");
        publish("{\"id\":1,\"s\":\"IBM\",\"p\":0}");
        client.delete("orders", "", "{\"id\":2}");
        assertThat(interval())
                .containsExactlyInAnyOrder(
                        "1 MESSAGE {\"id\":3,\"s\":\"IBM\",\"p\":3}",
                        "1 OOF_MATCH {\"id\":1,\"s\":\"IBM\",\"p\":0}",
                        "1 OOF_DELETED {\"id\":2,\"s\":\"IBM\",\"p\":2}");
    }

    @Test
    void shouldSendARecordWholeWhenAnEarlierChangeWasPassedOver() {
        publish("{\"id\":1,\"s\":\"IBM\",\"p\":1,\"q\":1}");
        publish("{\"id\":2,\"s\":\"IBM\",\"p\":1,\"q\":1}");
        client.subscribe(
                1, SubscribeRequest.topic("orders").sow().delta().conflation(Duration.ofMillis(INTERVAL_MS), "s"));
        assertThat(client.take()).hasSize(2);
        publish("{\"id\":1,\"s\":\"IBM\",\"p\":2,\"q\":1}");
        publish("{\"id\":2,\"s\":\"IBM\",\"p\":1,\"q\":2}");
        assertThat(interval()).containsExactly("1 DELTA {\"id\":2,\"q\":2}");
        publish("{\"id\":1,\"s\":\"IBM\",\"p\":2,\"q\":7}");
        assertThat(interval()).containsExactly("1 MESSAGE {\"id\":1,\"s\":\"IBM\",\"p\":2,\"q\":7}");
        publish("{\"id\":1,\"s\":\"IBM\",\"p\":3,\"q\":7}");
        assertThat(interval()).containsExactly("1 DELTA {\"id\":1,\"p\":3}");
    }

    @Test
    void shouldSendARecordWholeWhenItsDeltaWouldBeTooLong() {
        final StringBuilder many = new StringBuilder("{\"id\":1");
        for (int i = 10_000; i < 40_000; i++) {
            many.append(",\"").append(Integer.toString(i, 36)).append("\":1");
        }
        try (TestBroker small = new TestBroker(builder -> builder.topic(TopicConfig.keyed("orders", "json", "id"))
                .window(new WindowConfig(512 * 1024, 4))
                .sessions(new SessionConfig(64, 64, 256 * 1024 - 100, 64, 64, 1024, 64, 1 << 24, 60_000, 60_000)))) {
            final StateClient follower = new StateClient(small);
            follower.subscribe(1, SubscribeRequest.topic("orders").sow().delta());
            follower.subscribe(
                    2, SubscribeRequest.topic("orders").sow().delta().conflation(Duration.ofMillis(INTERVAL_MS)));
            follower.publish("orders", many + "}");
            small.advance(INTERVAL_MS + 20);
            assertThat(follower.take()).hasSize(2);
            follower.publish("orders", "{\"id\":1,\"b\":2}");
            small.advance(INTERVAL_MS + 20);
            assertThat(follower.take()).containsExactly("1 MESSAGE {\"id\":1,\"b\":2}", "2 MESSAGE {\"id\":1,\"b\":2}");
            follower.publish("orders", "{\"id\":1,\"b\":3}");
            small.advance(INTERVAL_MS + 20);
            assertThat(follower.take()).containsExactly("1 DELTA {\"id\":1,\"b\":3}", "2 DELTA {\"id\":1,\"b\":3}");
            assertThat(small.broker.counter("errors")).isZero();
        }
    }

    @Test
    void shouldRefuseWhatCannotBeConflated() {
        refused(
                SubscribeRequest.topic("orders").conflation(Duration.ZERO, "s"),
                ErrorCode.BAD_QUERY,
                "without an interval");
        refused(
                SubscribeRequest.topic("orders").conflation(Duration.ofMillis(5), "s,"),
                ErrorCode.BAD_QUERY,
                "conflation_key: ");
        refused(
                SubscribeRequest.topic("orders").conflation(Duration.ofMillis(-1)),
                ErrorCode.BAD_QUERY,
                "conflation of -1 ms");
        refused(
                SubscribeRequest.pattern("o.*").conflation(Duration.ofMillis(5), "s"),
                ErrorCode.NOT_SUPPORTED,
                "name the topic");
        client.declare("plain", "", 0);
        refused(
                SubscribeRequest.topic("plain").conflation(Duration.ofMillis(5), "s"),
                ErrorCode.NO_STATE,
                "keeps no state");
    }

    /** Each interval delivers the newest of the changed records of each key, and clients can put deltas together. */
    @Test
    void shouldAgreeWithANaiveModel() {
        for (int seed = 1; seed <= SEEDS; seed++) {
            final Random random = new Random(seed);
            final boolean isDelta = random.nextBoolean();
            final SubscribeRequest request =
                    SubscribeRequest.topic("orders").filter("p < 7").sow();
            client.subscribe(
                    seed, (isDelta ? request.delta() : request).conflation(Duration.ofMillis(INTERVAL_MS), "s"));
            client.take();
            final Map<Integer, Map<String, Object>> known = new HashMap<>();
            final Map<Integer, Map<String, Object>> records = new HashMap<>();
            for (int interval = 0; interval < 20; interval++) {
                final List<Integer> changed = new ArrayList<>();
                final int changes = random.nextInt(10) == 0 ? 400 : random.nextInt(8);
                for (int i = 0; i < changes; i++) {
                    final int id = random.nextInt(changes > 100 ? 300 : 6);
                    final Map<String, Object> record = new TreeMap<>(Map.of(
                            "id",
                            (double) id,
                            "n",
                            (double) ++number,
                            "p",
                            (double) random.nextInt(9),
                            "s",
                            "k" + random.nextInt(3)));
                    publish(ModelJson.write(record));
                    records.put(id, record);
                    changed.removeIf(other -> other == id);
                    changed.add(id);
                }
                client.flush();
                final Map<Object, Integer> newest = new HashMap<>();
                changed.stream()
                        .filter(id -> (double) records.get(id).get("p") < 7)
                        .forEach(id -> newest.put(records.get(id).get("s"), id));
                final List<Integer> reported = new ArrayList<>();
                for (final StateClient.Delivery delivery : deliveries()) {
                    final Map<String, Object> part = ModelJson.present(ModelJson.parse(delivery.text()));
                    final int id = ((Number) part.get("id")).intValue();
                    final Map<String, Object> merged =
                            delivery.kind() == RecordKind.DELTA ? new TreeMap<>(known.get(id)) : new TreeMap<>();
                    merged.putAll(part);
                    known.put(id, merged);
                    assertThat(ModelJson.write(merged)).as("seed " + seed).isEqualTo(ModelJson.write(records.get(id)));
                    reported.add(id);
                }
                assertThat(reported)
                        .as("seed %s interval %s", seed, interval)
                        .containsExactlyInAnyOrderElementsOf(newest.values());
            }
            final long id = seed;
            client.offer(() -> client.session.offerUnsubscribe(id));
            client.delete("orders", "TRUE");
        }
    }

    private List<StateClient.Delivery> deliveries() {
        final int from = client.deliveries.size();
        broker.advance(INTERVAL_MS + 20);
        client.flush();
        return List.copyOf(client.deliveries.subList(from, client.deliveries.size()));
    }

    private void refused(final SubscribeRequest request, final ErrorCode code, final String text) {
        client.errors.clear();
        client.subscribe(99, request);
        final BrokerError error = client.errors.get(0);
        assertThat(error.errorCode()).isEqualTo(code);
        assertThat(error.text()).contains(text);
    }

    private void publish(final String message) {
        client.publish("orders", message);
    }

    private List<String> interval() {
        client.flush();
        broker.advance(INTERVAL_MS + 20);
        return client.take();
    }
}
