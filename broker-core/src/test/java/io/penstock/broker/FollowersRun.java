package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.RecordKind;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One seed: clients that read slowly, come and go and replace what they follow, while records change all the time. */
final class FollowersRun implements AutoCloseable {
    private static final int CLIENT_COUNT = 4;
    private static final int SUBSCRIPTION_COUNT = 16;
    private static final int KEY_COUNT = 600;
    private static final int STEP_COUNT = 40;
    private static final int CONFLATION_MS = 20;
    private static final int PRICE_LIMIT = 1000;
    private static final List<String> SOURCES = List.of("quotes", "orders");
    private static final List<String> TOPICS = List.of("quotes", "orders", "cheap");

    private final Random random;
    private final Map<String, Long> histogram;
    private final TestBroker broker;
    private final StateClient publisher;
    private final List<MirrorClient> clients = new ArrayList<>();

    FollowersRun(final long seed, final Map<String, Long> histogram) {
        random = new Random(seed);
        this.histogram = histogram;
        broker = new TestBroker(builder -> builder.shardCount(random.nextBoolean() ? 1 : 3)
                .window(new WindowConfig((16 * 1024) << random.nextInt(3), 3 + random.nextInt(2)))
                .sessions(TestBroker.sessions(512 << random.nextInt(3), 7 * 1024))
                .state(new StateConfig(1 << 26, 128 << 10, 64 << 10, 1 + random.nextInt(2), 60_000, 1 << 20))
                .topic(TopicConfig.keyed("quotes", "json", "s"))
                .topic(TopicConfig.keyed("orders", "json", "s"))
                .view(new ViewConfig("cheap", "quotes", "p < 500", "s, p, pad", "")));
        publisher = new StateClient(broker);
        for (int i = 0; i < CLIENT_COUNT; i++) {
            clients.add(new MirrorClient(broker));
        }
    }

    void run() {
        publish(KEY_COUNT);
        publisher.flush();
        for (int i = 0; i < SUBSCRIPTION_COUNT; i++) {
            subscribe(clients.get(i % CLIENT_COUNT), 1 + i / CLIENT_COUNT);
        }
        for (int i = 0; i < STEP_COUNT; i++) {
            step();
        }
        clients.forEach(client -> client.paused = false);
        publisher.flush();
        for (int i = 0; i < 4; i++) {
            broker.settle();
            broker.clock.advance(TimeUnit.MILLISECONDS.toNanos(CONFLATION_MS));
        }
        broker.settle();
        final Map<String, Map<String, Map<String, @Nullable Object>>> states = new TreeMap<>();
        TOPICS.forEach(topic -> states.put(topic, state(topic)));
        for (final MirrorClient client : clients) {
            client.mirrors.forEach(
                    (id, mirror) -> check(clients.indexOf(client), id, mirror, states.get(mirror.topic)));
        }
        for (final String counter : List.of("resyncs", "turnsToCursor", "fellBehind")) {
            histogram.merge(counter, broker.broker.counter(counter), Long::sum);
        }
        clients.forEach(StateClient::close);
        publisher.close();
        broker.assertNothingLeaked();
    }

    private void step() {
        publish(random.nextInt(80));
        final int at = random.nextInt(CLIENT_COUNT);
        final MirrorClient client = clients.get(at);
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> client.paused = !client.paused;
            case 4 -> {
                client.close();
                clients.set(at, new MirrorClient(broker));
                for (int id = 1; id <= SUBSCRIPTION_COUNT / CLIENT_COUNT; id++) {
                    subscribe(clients.get(at), id);
                }
                count("reconnects");
            }
            case 5 -> {
                final long id = 1L + random.nextInt(SUBSCRIPTION_COUNT / CLIENT_COUNT);
                final StateMirror mirror = client.mirrors.get(id);
                if (mirror != null && mirror.end == null) {
                    mirror.priceMin = priceMin();
                    client.offer(() -> client.session.offerReplace(id, request(mirror)));
                    count("replaces");
                }
            }
            case 6, 7 -> broker.clock.advance(TimeUnit.MILLISECONDS.toNanos(random.nextInt(2 * CONFLATION_MS)));
            case 8 ->
                publisher.offer(() -> publisher.session.offerSowDelete(
                        SOURCES.get(0), "", List.of("{\"s\":\"" + random.nextInt(KEY_COUNT) + "\"}")));
            default -> {
                // Only messages.
            }
        }
        for (int i = random.nextInt(6); i > 0; i--) {
            broker.cycle();
        }
    }

    private void subscribe(final MirrorClient client, final long id) {
        final StateMirror mirror = new StateMirror(TOPICS.get(random.nextInt(TOPICS.size())), priceMin());
        client.mirrors.put(id, mirror);
        client.offer(() -> client.session.offerSubscribe(id, request(mirror)));
        if (!SOURCES.contains(mirror.topic)) {
            count("views");
        }
    }

    private SubscribeRequest request(final StateMirror mirror) {
        SubscribeRequest request = SubscribeRequest.topic(mirror.topic).sow().oof();
        if (mirror.priceMin > 0) {
            request = request.filter("p >= " + mirror.priceMin);
        }
        if (random.nextBoolean()) {
            request = request.delta();
        }
        if (random.nextBoolean()) {
            // Most of the state waits for the client, and is not looked at before.
            request = request.batchSize(1 + random.nextInt(20));
        }
        return random.nextInt(3) == 0 ? request.conflation(Duration.ofMillis(CONFLATION_MS)) : request;
    }

    private int priceMin() {
        return random.nextBoolean() ? 0 : random.nextInt(PRICE_LIMIT);
    }

    private void publish(final int count) {
        for (int i = 0; i < count; i++) {
            final String pad = "x".repeat(random.nextInt(3) == 0 ? 2000 : 100);
            publisher.publish(
                    SOURCES.get(random.nextInt(SOURCES.size())),
                    "{\"s\":\"" + random.nextInt(KEY_COUNT) + "\",\"p\":" + random.nextInt(PRICE_LIMIT) + ",\"pad\":\""
                            + pad + "\"}");
        }
    }

    private Map<String, Map<String, @Nullable Object>> state(final String topic) {
        publisher.deliveries.clear();
        publisher.sow(SowRequest.topic(topic));
        final Map<String, Map<String, @Nullable Object>> records = new TreeMap<>();
        for (final StateClient.Delivery each : publisher.deliveries) {
            assertThat(each.kind()).isEqualTo(RecordKind.STATE);
            final Map<String, @Nullable Object> fields = ModelJson.parse(each.text());
            records.put(StateMirror.key(fields, each.key()), fields);
        }
        return records;
    }

    private void check(
            final int client,
            final long id,
            final StateMirror mirror,
            final Map<String, Map<String, @Nullable Object>> state) {
        count(mirror.end == null ? "follow" : "ended");
        if (mirror.end == null) {
            final Map<String, Map<String, @Nullable Object>> expected = new TreeMap<>(state);
            expected.values().removeIf(fields -> !mirror.matches(fields));
            assertThat(mirror.records)
                    .as("client %d, subscription %d to %s", client, id, mirror.topic)
                    .isEqualTo(expected);
        }
    }

    private void count(final String what) {
        histogram.merge(what, 1L, Long::sum);
    }

    @Override
    public void close() {
        broker.close();
    }
}
