package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several lagging subscriptions of one client: one pass over the log serves them all. */
class SharedPassTest {
    private static final int FILTER_COUNT = 10;
    private static final int MESSAGE_COUNT = 2_000;
    private static final String PAD = "x".repeat(100);

    @Test
    void shouldReadTheLogOnceWhenManyFiltersOfAClientAreBehind() {
        try (TestBroker test = start()) {
            final RawClient subscriber = test.logOn("subscriber");
            for (int i = 0; i < FILTER_COUNT; i++) {
                subscriber.subscribe(10 + i, 100 + i, "t", "k = " + i);
                test.awaitAck(subscriber, 10 + i);
            }
            subscriber.reading = false;
            publish(test, 0, MESSAGE_COUNT);
            subscriber.reading = true;
            test.settle();

            assertThat(subscriber.errorTexts).isEmpty();
            for (int i = 0; i < FILTER_COUNT; i++) {
                assertThat(texts(subscriber, 100 + i)).isEqualTo(expected(i));
            }
            assertThat(test.broker.counter("turnsToCursor")).isGreaterThanOrEqualTo(FILTER_COUNT);
            assertThat(test.broker.counter("bytesRead"))
                    .as("the log, not the log for each of the subscriptions")
                    .isLessThan(test.broker.counter("publishedPosition") * 3 / 2);
        }
    }

    private static TestBroker start() {
        return new TestBroker(builder ->
                builder.window(new WindowConfig(512 * 1024, 4)).sessions(TestBroker.sessions(512, 16 * 1024)));
    }

    private static void publish(final TestBroker test, final int from, final int count) {
        final RawClient publisher = test.logOn("publisher");
        for (int i = from; i < from + count; i++) {
            test.publish(publisher, "t", text(i));
        }
        test.flush(publisher);
    }

    private static String text(final int n) {
        return "{\"n\":" + n + ",\"k\":" + n % FILTER_COUNT + ",\"pad\":\"" + PAD + "\"}";
    }

    private static List<String> expected(final int kind) {
        return IntStream.range(0, MESSAGE_COUNT)
                .filter(n -> n % FILTER_COUNT == kind)
                .mapToObj(SharedPassTest::text)
                .toList();
    }

    private static List<String> texts(final RawClient client, final long subscriptionId) {
        final List<String> texts = new ArrayList<>();
        for (final Delivery delivery : client.deliveries) {
            if (delivery.subscriptionId() == subscriptionId) {
                texts.add(delivery.text());
            }
        }
        return texts;
    }
}
