package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import io.penstock.protocol.ErrorCode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Clients that do not read what they have subscribed to, and those who must not notice. */
class SlowConsumerTest {
    private static final String PAD = "x".repeat(1000);
    private static final int SEGMENT_LENGTH = 512 * 1024;
    private static final int LONG_LENGTH = 200_000;

    /** More than the medium and the window hold together. */
    private static final int FLOOD_COUNT = 2_000;

    @Test
    void shouldEndSubscriptionWhenClientDoesNotRead() {
        try (TestBroker test = new TestBroker()) {
            final RawClient slow = test.logOn("slow");
            slow.subscribe(2, 7, "t", "");
            test.awaitAck(slow, 2);
            final RawClient publisher = test.logOn("publisher");
            slow.reading = false;
            flood(test, publisher, "t", FLOOD_COUNT);

            assertThat(test.broker.counter("messages")).isEqualTo(FLOOD_COUNT);
            slow.reading = true;
            test.settle();
            assertThat(slow.errors).containsExactly(ErrorCode.FELL_BEHIND);
            assertThat(slow.events.get(slow.events.size() - 1)).isEqualTo("error 0 7 FELL_BEHIND");
            assertThat(slow.deliveries.size()).isLessThan(FLOOD_COUNT);
            assertGapFree(slow);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldServeHealthySubscriberWhenAnotherDoesNotRead() {
        try (TestBroker test = new TestBroker()) {
            final RawClient slow = test.logOn("slow");
            slow.subscribe(2, 7, "t", "");
            final RawClient healthy = test.logOn("healthy");
            healthy.subscribe(2, 7, "t", "");
            test.awaitAck(slow, 2);
            test.awaitAck(healthy, 2);
            final RawClient publisher = test.logOn("publisher");
            slow.reading = false;
            flood(test, publisher, "t", FLOOD_COUNT);
            test.settle();

            assertThat(healthy.errors).isEmpty();
            assertThat(healthy.deliveries).hasSize(FLOOD_COUNT);
            assertGapFree(healthy);
        }
    }

    @Test
    void shouldSubscribeAnewWhenItFellBehind() {
        try (TestBroker test = new TestBroker()) {
            final RawClient slow = test.logOn("slow");
            slow.subscribe(2, 7, "t", "");
            test.awaitAck(slow, 2);
            final RawClient publisher = test.logOn("publisher");
            slow.reading = false;
            flood(test, publisher, "t", FLOOD_COUNT);
            slow.reading = true;
            test.settle();
            slow.deliveries.clear();
            slow.subscribe(3, 7, "t", "");
            test.awaitAck(slow, 3);
            test.publish(publisher, "t", "{\"n\":-1}");
            test.settle();

            assertThat(slow.deliveries).extracting(Delivery::text).containsExactly("{\"n\":-1}");
        }
    }

    @Test
    void shouldReportEachSubscriptionWhenManyEndAtOnce() {
        final int count = 1_000;
        try (TestBroker test = new TestBroker(builder ->
                builder.sessions(new SessionConfig(64, count, 16 * 1024, 64, 64, 1024, 64, 1 << 24, 1_000, 500)))) {
            final RawClient slow = test.logOn("slow");
            for (int i = 1; i <= count; i++) {
                slow.subscribe(1 + i, i, "t", "n > " + -i);
                test.awaitAck(slow, 1 + i);
            }
            final RawClient publisher = test.logOn("publisher");
            slow.reading = false;
            flood(test, publisher, "t", FLOOD_COUNT);
            slow.reading = true;
            test.settle();

            assertThat(slow.errors).hasSize(count).containsOnly(ErrorCode.FELL_BEHIND);
            assertThat(slow.events.stream().filter(event -> event.startsWith("error")))
                    .doesNotHaveDuplicates();
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldReportTheEndBeforeAnswersToLaterCommands() {
        try (TestBroker test = new TestBroker()) {
            final RawClient slow = test.logOn("slow");
            slow.subscribe(2, 7, "t", "");
            test.awaitAck(slow, 2);
            final RawClient publisher = test.logOn("publisher");
            slow.reading = false;
            flood(test, publisher, "t", 450);
            // Answers fill what room is left in the medium, and some wait.
            for (int i = 0; i < 600; i++) {
                slow.unsubscribe(100 + i, 99);
                test.cycle();
            }
            flood(test, publisher, "t", FLOOD_COUNT);
            slow.unsubscribe(3, 7);
            slow.subscribe(4, 7, "t", "");
            test.settle();
            slow.reading = true;
            test.settle();

            // Otherwise the client would take the new subscription for the one that has ended.
            assertThat(slow.events.stream().filter(event -> !event.startsWith("deliver")))
                    .containsSubsequence("error 0 7 FELL_BEHIND", "error 3 7 UNKNOWN_SUBSCRIPTION", "ack 4 PROCESSED");
        }
    }

    @Test
    void shouldSendWhatWaitsWhenClientReadsAgainAfterRefusals() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.reading = false;
            final int count = 5_000;
            int sent = 0;
            while (sent < count) {
                if (client.publish(2 + sent, 0, 0, "t", new byte[] {'{'})) {
                    sent++;
                } else {
                    test.cycle();
                    client.reading = sent > count / 2;
                }
            }
            client.reading = true;
            test.settle();

            assertThat(client.errors.size()).isEqualTo(count);
        }
    }

    @Test
    void shouldDisconnectWhenTheRestOfALongMessageIsNoLongerInTheWindow() {
        try (TestBroker test = new TestBroker(SlowConsumerTest::longMessages)) {
            final RawClient slow = halfSent(test);
            floodLong(test);
            slow.reading = true;
            test.settle();

            assertThat(slow.disconnected).isTrue();
            assertWhole(slow);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldSendNothingBetweenThePartsWhenHeartbeatIsDue() {
        try (TestBroker test = new TestBroker(SlowConsumerTest::longMessages)) {
            final RawClient slow = halfSent(test);
            heartbeatFor(test, 2_000);
            final int before = slow.deliveries.size();
            slow.reading = true;
            test.settle();

            assertThat(slow.deliveries.size()).isGreaterThan(before);
            assertThat(slow.errors).isEmpty();
            assertThat(slow.events).contains("heartbeat");
            assertWhole(slow);
        }
    }

    @Test
    void shouldSendNothingIntoALongMessageWhenItsRestIsGone() {
        try (TestBroker test = new TestBroker(SlowConsumerTest::longMessages)) {
            final RawClient slow = halfSent(test);
            heartbeatFor(test, 2_000);
            floodLong(test);
            slow.reading = true;
            test.settle();

            assertThat(slow.disconnected).isTrue();
            assertThat(slow.events).doesNotContain("heartbeat");
            assertWhole(slow);
        }
    }

    @Test
    void shouldSendTheRestOfALongMessageWhenItsSubscriptionEndsMeanwhile() {
        try (TestBroker test = new TestBroker(SlowConsumerTest::longMessages)) {
            final RawClient slow = halfSent(test);
            final int before = slow.deliveries.size();
            slow.unsubscribe(3, 7);
            test.settle();
            slow.reading = true;
            test.settle();
            slow.subscribe(4, 8, "t", "");
            test.awaitAck(slow, 4);
            test.publish(test.clients.get(1), "t", new byte[] {1, 2, 3});
            test.settle();

            assertThat(slow.acks).containsKeys(3L, 4L);
            assertThat(slow.deliveries.size()).isGreaterThanOrEqualTo(before + 2);
            assertThat(slow.deliveries.get(slow.deliveries.size() - 1).payload())
                    .containsExactly(1, 2, 3);
            assertWhole(slow);
        }
    }

    @Test
    void shouldDisconnectWhenSubscriptionHasEndedAndTheRestOfALongMessageIsGone() {
        try (TestBroker test = new TestBroker(SlowConsumerTest::longMessages)) {
            final RawClient slow = halfSent(test);
            slow.unsubscribe(3, 7);
            test.settle();
            floodLong(test);
            slow.reading = true;
            test.settle();

            assertThat(slow.disconnected).isTrue();
            assertWhole(slow);
            test.assertNothingLeaked();
        }
    }

    /** A client with a subscription, id 7, that has taken the first parts of a long message and not the last. */
    private static RawClient halfSent(final TestBroker test) {
        final RawClient slow = test.logOn("slow");
        slow.subscribe(2, 7, "t", "");
        test.awaitAck(slow, 2);
        final RawClient publisher = test.logOn("publisher");
        slow.reading = false;
        for (int i = 0; i < 3; i++) {
            test.publish(publisher, "t", longPayload(i));
            test.settle();
        }
        return slow;
    }

    private static void floodLong(final TestBroker test) {
        final RawClient publisher = test.clients.get(1);
        for (int i = 0; i < 6 * SEGMENT_LENGTH / LONG_LENGTH; i++) {
            test.publish(publisher, "other", longPayload(i));
        }
        test.flush(publisher);
    }

    /** Time goes on and everybody says that they live. */
    private static void heartbeatFor(final TestBroker test, final long ms) {
        for (long i = 0; i < ms; i += 500) {
            test.clients.forEach(RawClient::heartbeat);
            test.advance(500);
        }
    }

    private static byte[] longPayload(final int seed) {
        final byte[] payload = new byte[LONG_LENGTH];
        for (int i = 0; i < payload.length; i++) {
            payload[i] = (byte) (i * 31 + seed);
        }
        return payload;
    }

    private static void assertWhole(final RawClient client) {
        int seed = 0;
        for (final Delivery delivery : client.deliveries) {
            if (delivery.payload().length == LONG_LENGTH) {
                assertThat(Arrays.equals(delivery.payload(), longPayload(seed++)))
                        .as(() -> "message " + delivery.sequence())
                        .isTrue();
            }
        }
    }

    private static void assertGapFree(final RawClient client) {
        for (int i = 0; i < client.deliveries.size(); i++) {
            assertThat(client.deliveries.get(i).text()).startsWith("{\"n\":" + i + ",");
        }
    }

    private static void flood(final TestBroker test, final RawClient publisher, final String topic, final int count) {
        for (int i = 0; i < count; i++) {
            test.publish(publisher, topic, "{\"n\":" + i + ",\"pad\":\"" + PAD + "\"}");
            if (i % 100 == 99) {
                test.flush(publisher);
            }
        }
        test.flush(publisher);
    }

    private static BrokerConfig.Builder longMessages(final BrokerConfig.Builder builder) {
        return builder.sessions(TestBroker.sessions(1024, 256 * 1024))
                .window(new WindowConfig(SEGMENT_LENGTH, 4))
                .formatDefault("binary");
    }
}
