package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.LaggingTransport.LaggingConnection;
import io.penstock.broker.RawInbox.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Media that need the log's bytes for some time after they have taken them. */
class InFlightTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_120L);
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 5);
    private static final int SEGMENT_LENGTH = 64 * 1024;
    private static final int IN_FLIGHT_MAX = 256;

    @Test
    void shouldNotRecycleASegmentBeforeItsBytesAreSent() {
        try (TestBroker test = broker()) {
            final RawClient subscriber = subscriber(test, 0);
            final LaggingConnection connection = LaggingTransport.connection(0);
            final RawClient publisher = test.logOn("publisher");
            connection.lagging = true;
            test.publish(publisher, "t", "{\"n\":0}");
            test.settle();
            int count = 1;
            while (count < 1_000 && publishOnce(test, publisher, count)) {
                count++;
            }
            // It waits as long as the time is not up; the test's clock stands still.
            assertThat(count).isLessThan(1_000);
            assertThat(test.broker.counter("publishedPosition")).isGreaterThan(2 * SEGMENT_LENGTH);
            connection.lagging = false;
            test.await(() -> test.broker.counter("appendsRefused") > 0 && connection.isFlushed());
            while (count < 1_000) {
                count += publishOnce(test, publisher, count) ? 1 : 0;
            }
            test.settle();

            assertThat(subscriber.disconnected).isFalse();
            assertThat(subscriber.errors).isEmpty();
            assertThat(subscriber.deliveries.size()).isEqualTo(1_000);
        }
    }

    @Test
    void shouldHoldNoMoreThanItsBoundInFlight() {
        try (TestBroker test = broker()) {
            final RawClient subscriber = subscriber(test, 0);
            final LaggingConnection connection = LaggingTransport.connection(0);
            final RawClient publisher = test.logOn("publisher");
            connection.lagging = true;
            final int count = IN_FLIGHT_MAX + 100;
            for (int i = 0; i < count; i++) {
                test.publish(publisher, "t", "{\"n\":" + i + "}");
                // Each on its own, so that they are not sent together.
                test.settle();
            }

            assertThat(connection.inFlightCount()).isEqualTo(IN_FLIGHT_MAX);
            connection.complete(10);
            test.settle();
            assertThat(connection.inFlightCount()).isLessThanOrEqualTo(IN_FLIGHT_MAX);
            connection.lagging = false;
            test.settle();
            assertThat(subscriber.deliveries.size()).isEqualTo(count);
            for (int i = 0; i < count; i++) {
                assertThat(subscriber.deliveries.get(i).text()).isEqualTo("{\"n\":" + i + "}");
            }
        }
    }

    @Test
    void shouldDisconnectWhoNeverSendsWhatTheLogNeedsBack() {
        try (TestBroker test = broker()) {
            final RawClient stuck = subscriber(test, 0);
            final RawClient healthy = subscriber(test, 1);
            final RawClient publisher = test.logOn("publisher");
            LaggingTransport.connection(0).lagging = true;
            final int count = 1_000;
            for (int i = 0; i < count; i++) {
                while (!publishOnce(test, publisher, i)) {
                    test.advance(10);
                }
            }
            test.settle();

            assertThat(stuck.disconnected).isTrue();
            assertThat(healthy.disconnected).isFalse();
            assertThat(healthy.errors).isEmpty();
            assertThat(healthy.deliveries.size()).isEqualTo(count);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldSendPartsOfALongMessageFromTheLogWhenTheMediumLags() {
        LaggingTransport.reset();
        try (TestBroker test = new TestBroker("lag", InFlightTest::longMessages)) {
            final RawClient subscriber = test.logOn("subscriber");
            subscriber.subscribe(2, 7, "t", "");
            test.awaitAck(subscriber, 2);
            final LaggingConnection connection = LaggingTransport.connection(0);
            final RawClient publisher = test.logOn("publisher");
            connection.lagging = true;
            final byte[] payload = new byte[200_000];
            new Random(SEED).nextBytes(payload);
            for (int i = 0; i < 20; i++) {
                test.publish(publisher, "t", payload);
                test.settle();
                connection.complete(i % 5);
                test.settle();
                if (i % 5 == 4) {
                    connection.complete(Integer.MAX_VALUE);
                    test.settle();
                }
            }
            connection.lagging = false;
            test.settle();

            assertThat(subscriber.errors).isEmpty();
            assertThat(subscriber.deliveries)
                    .hasSize(20)
                    .allSatisfy(delivery -> assertThat(delivery.payload()).isEqualTo(payload));
        }
    }

    /** The medium itself checks that nothing was overwritten too early. */
    @Test
    void shouldDeliverInOrderHoweverTheMediumLags() {
        for (int i = 0; i < SEED_COUNT; i++) {
            deliverHoweverItLags(SEED + i);
        }
    }

    private static void deliverHoweverItLags(final long seed) {
        final Random random = new Random(seed);
        try (TestBroker test = broker()) {
            final List<RawClient> subscribers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                subscribers.add(subscriber(test, i));
                LaggingTransport.connection(i).lagging = true;
            }
            final RawClient publisher = test.logOn("publisher");
            int published = 0;
            for (int round = 0; round < 1_000; round++) {
                for (int i = random.nextInt(4); i > 0; i--) {
                    if (publishOnce(test, publisher, published)) {
                        published++;
                    }
                }
                final LaggingConnection connection = LaggingTransport.connection(random.nextInt(4));
                connection.complete(random.nextInt(4));
                test.advance(5L * random.nextInt(3));
                test.clients.forEach(RawClient::heartbeat);
            }
            for (int i = 0; i < 4; i++) {
                LaggingTransport.connection(i).lagging = false;
            }
            test.settle();
            for (final RawClient subscriber : subscribers) {
                int next = 0;
                for (final Delivery delivery : subscriber.deliveries) {
                    assertThat(delivery.text()).as("seed %d", seed).isEqualTo(text(next++));
                }
                if (subscriber.errors.isEmpty() && !subscriber.disconnected) {
                    assertThat(next).as("seed %d", seed).isEqualTo(published);
                }
            }
            test.assertNothingLeaked();
        }
    }

    private static RawClient subscriber(final TestBroker test, final int index) {
        final RawClient subscriber = test.logOn("subscriber-" + index);
        subscriber.subscribe(2, 7, "t", "");
        test.awaitAck(subscriber, 2);
        return subscriber;
    }

    /** Publishes one message; false when the broker does not take it within some cycles. */
    private static boolean publishOnce(final TestBroker test, final RawClient publisher, final int number) {
        final long before = test.broker.counter("messages");
        if (!publisher.waiting) {
            publisher.publish(0, 0, 0, "t", text(number).getBytes(UTF_8));
            publisher.waiting = true;
        }
        for (int i = 0; i < 10; i++) {
            test.cycle();
            if (test.broker.counter("messages") > before) {
                publisher.waiting = false;
                return true;
            }
        }
        return false;
    }

    private static String text(final int number) {
        return "{\"n\":" + number + ",\"pad\":\"" + "x".repeat(1_000) + "\"}";
    }

    private static TestBroker broker() {
        LaggingTransport.reset();
        return new TestBroker("lag", builder -> builder.sessions(TestBroker.sessions(4096, 16 * 1024)));
    }

    private static BrokerConfig.Builder longMessages(final BrokerConfig.Builder builder) {
        return builder.sessions(TestBroker.sessions(4096, 256 * 1024))
                .window(new WindowConfig(1024 * 1024, 4))
                .formatDefault("binary");
    }
}
