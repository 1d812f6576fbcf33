package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Subscriptions to all topics whose names match. */
class PatternSubscriptionTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldFollowTopicsFromTheirFirstMessageWhenCreatedLater(final int shardCount) {
        try (TestBroker test = new TestBroker(builder -> builder.shardCount(shardCount))) {
            final RawClient subscriber = test.logOn("subscriber");
            subscriber.subscribe(2, 7, "orders\\..+", "n >= 0", true);
            test.awaitAck(subscriber, 2);
            final RawClient publisher = test.logOn("publisher");
            final List<String> expected = new ArrayList<>();
            for (int topic = 0; topic < 25; topic++) {
                for (int i = -1; i < 3; i++) {
                    final String text = "{\"n\":" + i + ",\"topic\":" + topic + "}";
                    test.publish(publisher, "orders." + topic, text);
                    test.publish(publisher, "order" + topic, text);
                    if (i >= 0) {
                        expected.add(text);
                    }
                }
            }
            test.flush(publisher);
            test.settle();

            assertThat(subscriber.deliveries).extracting(Delivery::text).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(subscriber.deliveries)
                    .allSatisfy(delivery -> assertThat(delivery.topic()).startsWith("orders."));
            for (int topic = 0; topic < 25; topic++) {
                final String name = "orders." + topic;
                assertThat(subscriber.deliveries.stream()
                                .filter(delivery -> delivery.topic().equals(name)))
                        .isSortedAccordingTo((a, b) -> Long.compare(a.sequence(), b.sequence()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldDeliverNothingMoreWhenUnsubscribed(final int shardCount) {
        try (TestBroker test = new TestBroker(builder -> builder.shardCount(shardCount))) {
            final RawClient subscriber = test.logOn("subscriber");
            subscriber.subscribe(2, 7, ".*", "", true);
            subscriber.subscribe(3, 8, "t1", "");
            test.awaitAck(subscriber, 3);
            final RawClient publisher = test.logOn("publisher");
            publishToEach(test, publisher, 10);
            subscriber.unsubscribe(4, 7);
            test.awaitAck(subscriber, 4);
            subscriber.deliveries.clear();
            publishToEach(test, publisher, 15);

            assertThat(subscriber.deliveries)
                    .extracting(Delivery::subscriptionId)
                    .containsExactly(8L);
            assertThat(test.broker.counter("subscriptions")).isEqualTo(2);
        }
    }

    @Test
    void shouldMatchWholeNamesOnly() {
        try (TestBroker test = new TestBroker()) {
            final RawClient subscriber = test.logOn("subscriber");
            subscriber.subscribe(2, 1, "t1", "", true);
            subscriber.subscribe(3, 2, "t.", "", true);
            subscriber.subscribe(4, 3, "t.*", "");
            test.awaitAck(subscriber, 4);
            final RawClient publisher = test.logOn("publisher");
            for (final String topic : List.of("t1", "t12", "at1", "t", "t.*")) {
                test.publish(publisher, topic, "{}");
            }
            test.flush(publisher);
            test.settle();

            assertThat(subscriber.deliveries)
                    .extracting(delivery -> delivery.subscriptionId() + " " + delivery.topic())
                    .containsExactlyInAnyOrder("1 t1", "2 t1", "3 t.*");
        }
    }

    @Test
    void shouldDeliverOnceForEachSubscriptionWhenSeveralMatch() {
        try (TestBroker test = new TestBroker()) {
            final RawClient subscriber = test.logOn("subscriber");
            subscriber.subscribe(2, 1, "t", "");
            subscriber.subscribe(3, 2, "t", "a = 1");
            subscriber.subscribe(4, 3, "t", "a=1");
            subscriber.subscribe(5, 4, ".", "", true);
            subscriber.subscribe(6, 5, "t", "a = 2");
            test.awaitAck(subscriber, 6);
            subscriber.publish(7, "t", "{\"a\":1}");
            test.settle();

            assertThat(subscriber.deliveries)
                    .extracting(Delivery::subscriptionId)
                    .containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
        }
    }

    /** One feed of it lags too far, and all others end with it: nothing comes after the error. */
    @Test
    void shouldEndOnAllShardsWhenItFallsBehindOnOne() {
        try (TestBroker test = new TestBroker(builder -> builder.shardCount(3)
                .topic(new TopicConfig("a.*", true, "json", 0))
                .topic(new TopicConfig("b.*", true, "json", 1)))) {
            final RawClient slow = test.logOn("slow");
            slow.subscribe(2, 7, ".*", "", true);
            test.awaitAck(slow, 2);
            final RawClient publisher = test.logOn("publisher");
            slow.reading = false;
            final String text = "{\"pad\":\"" + "x".repeat(1_000) + "\"}";
            for (int i = 0; i < 2_000; i++) {
                test.publish(publisher, "a", text);
                if (i % 100 == 0) {
                    test.publish(publisher, "b", text);
                    test.flush(publisher);
                }
            }
            test.flush(publisher);
            slow.reading = true;
            test.settle();
            test.publish(publisher, "b", text);
            test.settle();

            assertThat(slow.events).endsWith("error 0 7 FELL_BEHIND");
            assertThat(slow.events).containsOnlyOnce("error 0 7 FELL_BEHIND");
            test.assertNothingLeaked();
        }
    }

    private static void publishToEach(final TestBroker test, final RawClient publisher, final int topicCount) {
        for (int topic = 0; topic < topicCount; topic++) {
            test.publish(publisher, "t" + topic, "{}");
        }
        test.flush(publisher);
        test.settle();
    }
}
