package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.MessageHandler;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Subscriptions with the state by sockets and threads, while the broker keeps hardly any former versions: each shows
 * the state as it is when nothing changes any more, or its client was notified that it has ended.
 */
class FollowersOverTcpTest {
    private static final String TOPIC = "quotes";
    private static final int CLIENT_COUNT = 4;
    private static final int SUBSCRIPTION_COUNT = 16;
    private static final int KEY_COUNT = 600;
    private static final int PRICE_LIMIT = 1000;
    private static final long PUBLISHING_NS = TimeUnit.MILLISECONDS.toNanos(400);

    private final Random random = new Random(7);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @EnumSource(
            value = ThreadingMode.class,
            names = {"SHARED", "DEDICATED"})
    @Timeout(60)
    void shouldShowTheStateOrHaveEndedWhenFormerVersionsAreFew(final ThreadingMode threading) {
        final BrokerConfig config = BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .threading(threading)
                .window(new WindowConfig(64 * 1024, 4))
                .sessions(new SessionConfig(64, 64, 16 * 1024, 64, 64, 1024, 64, 1 << 24, 60_000, 60_000))
                .state(new StateConfig(1 << 26, 128 << 10, 64 << 10, 1, 60_000, 1 << 20))
                .topic(TopicConfig.keyed(TOPIC, "json", "s"))
                .build();
        final List<PenstockClient> clients = new ArrayList<>();
        try (Broker broker = Broker.launch(config)) {
            final String endpoint = broker.endpoints().get(0).toString();
            try (PenstockClient publisher = PenstockClient.connect(endpoint)) {
                publish(publisher, KEY_COUNT);
                final List<Mirror> mirrors = new ArrayList<>();
                for (int i = 0; i < SUBSCRIPTION_COUNT; i++) {
                    if (i < CLIENT_COUNT) {
                        clients.add(PenstockClient.connect(endpoint));
                    }
                    final Mirror mirror = new Mirror(i % 2 == 0 ? 0 : random.nextInt(PRICE_LIMIT));
                    clients.get(i % CLIENT_COUNT).subscribe(request(i, mirror.state.priceMin), mirror);
                    mirrors.add(mirror);
                }
                final long startNs = System.nanoTime();
                while (System.nanoTime() - startNs < PUBLISHING_NS) {
                    publish(publisher, 50);
                }
                publisher.flush(Duration.ofSeconds(30));
                check(publisher, mirrors);
            } finally {
                clients.forEach(PenstockClient::close);
            }
        }
    }

    private void check(final PenstockClient publisher, final List<Mirror> mirrors) {
        final Map<String, Map<String, @Nullable Object>> state = new TreeMap<>();
        for (final String text : publisher.sow(SowRequest.topic(TOPIC)).texts()) {
            final Map<String, @Nullable Object> fields = ModelJson.parse(text);
            state.put(StateMirror.key(fields, ""), fields);
        }
        assertThat(state).hasSizeGreaterThan(KEY_COUNT / 2);
        final long startNs = System.nanoTime();
        for (int i = 0; i < SUBSCRIPTION_COUNT; i++) {
            final Mirror mirror = mirrors.get(i);
            while (failures.isEmpty()
                    && !mirror.isDone(state)
                    && System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(30)) {
                Thread.onSpinWait();
            }
            assertThat(failures).isEmpty();
            mirror.assertDone(i, state);
        }
    }

    private static SubscribeRequest request(final int number, final int priceMin) {
        SubscribeRequest request = SubscribeRequest.topic(TOPIC).sow().oof();
        if (priceMin > 0) {
            request = request.filter("p >= " + priceMin);
        }
        if (number % 3 == 0) {
            request = request.delta();
        }
        if (number % 5 == 0) {
            // Most of the state waits for the client.
            request = request.batchSize(2);
        }
        return number % 4 == 1 ? request.conflation(Duration.ofMillis(20)) : request;
    }

    private void publish(final PenstockClient publisher, final int count) {
        for (int i = 0; i < count; i++) {
            final String pad = "x".repeat(random.nextInt(3) == 0 ? 2000 : 100);
            publisher.publish(
                    TOPIC,
                    "{\"s\":\"" + random.nextInt(KEY_COUNT) + "\",\"p\":" + random.nextInt(PRICE_LIMIT) + ",\"pad\":\""
                            + pad + "\"}");
        }
    }

    /** What one subscription shows; filled by its client's thread, looked at by the test's. */
    private final class Mirror implements MessageHandler {
        private final StateMirror state;
        private @Nullable PenstockException end;

        Mirror(final int priceMin) {
            state = new StateMirror(TOPIC, priceMin);
        }

        @Override
        public void onMessage(final MessageView message) {
            run(() -> state.onRecord(message.kind(), message.text(), ""));
        }

        @Override
        public void onGroupBegin(final String topic, final int shard, final long sequence) {
            run(state::onBegin);
        }

        @Override
        public void onGroupEnd(final long topicMatches, final long matches, final long returned) {
            run(state::onEnd);
        }

        @Override
        public void onEnd(final Subscription subscription, final PenstockException reason) {
            run(() -> end = reason);
        }

        /** A failure here would end the subscription, and look like an end that the broker has reported. */
        private synchronized void run(final Runnable step) {
            try {
                step.run();
            } catch (final AssertionError | RuntimeException failed) {
                failures.add(failed);
            }
        }

        synchronized boolean isDone(final Map<String, Map<String, @Nullable Object>> expected) {
            return end != null || state.records.equals(matching(expected));
        }

        synchronized void assertDone(final int number, final Map<String, Map<String, @Nullable Object>> expected) {
            if (end == null) {
                assertThat(state.records).as("subscription %d", number).isEqualTo(matching(expected));
            }
        }

        private Map<String, Map<String, @Nullable Object>> matching(
                final Map<String, Map<String, @Nullable Object>> expected) {
            final Map<String, Map<String, @Nullable Object>> matching = new TreeMap<>(expected);
            matching.values().removeIf(fields -> !state.matches(fields));
            return matching;
        }
    }
}
