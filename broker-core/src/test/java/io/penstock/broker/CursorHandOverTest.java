package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rings so small that subscriptions turn into cursors and back all the time. */
class CursorHandOverTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_120L);
    private static final int FLIP_COUNT = 1_000;

    /** Deliveries that may be outstanding: few enough to be in the window still. */
    private static final int LAG_COUNT_MAX = 400;

    private static final String[] TOPICS = {"a", "b", "c", "d", "e", "f"};

    @ParameterizedTest
    @EnumSource(
            value = ThreadingMode.class,
            names = {"INVOKER", "DEDICATED"})
    void shouldDeliverEachMessageOnceWhenTurningToCursorAndBack(final ThreadingMode threading) {
        final Random random = new Random(SEED);
        try (TestBroker test = new TestBroker(builder -> builder.threading(threading)
                .shardCount(3)
                .window(new WindowConfig(128 * 1024, 4))
                .sessions(TestBroker.sessions(512, 16 * 1024)))) {
            final RawClient subscriber = test.logOn("subscriber");
            for (int i = 0; i < TOPICS.length; i++) {
                subscriber.subscribe(10 + i, 100 + i, TOPICS[i], "k <> 0");
                test.awaitAck(subscriber, 10 + i);
            }
            subscriber.subscribe(50, 200, ".*", "k = 1", true);
            test.awaitAck(subscriber, 50);
            final RawClient publisher = test.logOn("publisher");
            final Map<Long, List<String>> expected = new HashMap<>();
            long number = 0;
            while (flips(test) < FLIP_COUNT) {
                for (int i = random.nextInt(200); i > 0; i--) {
                    final int topic = random.nextInt(TOPICS.length);
                    final int kind = random.nextInt(3);
                    final String text = "{\"n\":" + number++ + ",\"k\":" + kind + ",\"pad\":\""
                            + "x".repeat(random.nextInt(100)) + "\"}";
                    while (!publisher.publish(1000, 0, 0, TOPICS[topic], text.getBytes(UTF_8))) {
                        test.cycle();
                    }
                    if (kind != 0) {
                        expected.computeIfAbsent(100L + topic, key -> new ArrayList<>())
                                .add(text);
                    }
                    if (kind == 1) {
                        expected.computeIfAbsent(1000L + topic, key -> new ArrayList<>())
                                .add(text);
                    }
                }
                for (int i = random.nextInt(4); i > 0; i--) {
                    test.cycle();
                }
                // Now and then everybody catches up, so that there is something to turn again.
                test.awaitFewerBehind(subscriber, expected, random.nextInt(3) == 0 ? 0 : LAG_COUNT_MAX);
            }
            publisher.flush(77);
            test.awaitAck(publisher, 77);
            final int total = expected.values().stream().mapToInt(List::size).sum();
            test.await(() -> subscriber.deliveries.size() >= total || !subscriber.errors.isEmpty());

            assertThat(subscriber.errorTexts).as("seed %d", SEED).isEmpty();
            assertSame(delivered(subscriber), expected);
            assertThat(test.broker.counter("turnsToCursor")).isGreaterThanOrEqualTo(FLIP_COUNT);
            assertThat(test.broker.counter("turnsToLive")).isGreaterThanOrEqualTo(FLIP_COUNT);
            assertThat(test.broker.counter("demandedPosition")).isGreaterThan(2 * 128 * 1024);
        }
    }

    @Test
    void shouldComeBackToLiveWhenRingIsEmptyAgain() {
        try (TestBroker test = new TestBroker()) {
            final RawClient subscriber = test.logOn("subscriber");
            subscriber.subscribe(2, 7, "t", "k = 1");
            test.settle();
            final RawClient publisher = test.logOn("publisher");
            for (int i = 0; i < 200; i++) {
                publisher.publish(2, "t", "{\"k\":" + (i & 1) + "}");
            }
            test.settle();

            assertThat(test.broker.counter("turnsToCursor")).isPositive();
            assertThat(test.broker.counter("turnsToLive")).isEqualTo(test.broker.counter("turnsToCursor"));
            assertThat(test.broker.counter("cursors")).isZero();
            assertThat(subscriber.deliveries).hasSize(100);
        }
    }

    /** Says where the first difference is, and not all that came. */
    private static void assertSame(final Map<Long, List<String>> delivered, final Map<Long, List<String>> expected) {
        assertThat(delivered).as("seed %d", SEED).containsOnlyKeys(expected.keySet());
        expected.forEach((key, texts) -> {
            final List<String> came = delivered.get(key);
            final int same = IntStream.range(0, Math.min(texts.size(), came.size()))
                    .filter(i -> !texts.get(i).equals(came.get(i)))
                    .findFirst()
                    .orElse(Math.min(texts.size(), came.size()));
            assertThat(came.subList(same, Math.min(same + 3, came.size())))
                    .as("seed %d, subscription %d, from message %d on", SEED, key, same)
                    .isEqualTo(texts.subList(same, Math.min(same + 3, texts.size())));
        });
    }

    private static long flips(final TestBroker test) {
        return test.broker.counter("turnsToLive");
    }

    /** What came for each subscription; that of the pattern by topic, since order holds within a shard only. */
    private static Map<Long, List<String>> delivered(final RawClient subscriber) {
        final Map<Long, List<String>> delivered = new HashMap<>();
        for (final Delivery delivery : subscriber.deliveries) {
            final long key = delivery.subscriptionId() == 200
                    ? 1000L + delivery.topic().charAt(0) - 'a'
                    : delivery.subscriptionId();
            delivered.computeIfAbsent(key, ignored -> new ArrayList<>()).add(delivery.text());
        }
        return delivered;
    }
}
