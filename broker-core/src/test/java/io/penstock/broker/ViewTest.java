package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.SubscribeRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Views beside the topics that they are computed from. */
class ViewTest {
    private static final String PAD = "x".repeat(5_000);

    /** The log is full again and again, so that rows of the view have to wait for it. */
    @Test
    void shouldShowTheSourceAsItIsAtEachRowWhenTheLogHasNoRoom() {
        try (TestBroker test = new TestBroker(builder -> builder.window(new WindowConfig(16 * 1024, 3))
                .sessions(TestBroker.sessions(1024, 7 * 1024))
                .topic(TopicConfig.keyed("quotes", "json", "s"))
                .view(new ViewConfig("total", "quotes", "", "SUM(p) AS total, MAX(pad) AS pad", "")))) {
            final StateClient subscriber = new StateClient(test);
            final StateClient publisher = new StateClient(test);
            subscriber.subscribe(1, SubscribeRequest.topic("quotes"));
            subscriber.subscribe(2, SubscribeRequest.topic("total"));
            for (int i = 0; i < 200; i++) {
                publisher.publish(
                        "quotes", "{\"s\":\"" + i % 7 + "\",\"p\":" + i + ",\"pad\":\"" + PAD.substring(i) + "\"}");
            }
            publisher.flush();
            test.settle();

            assertThat(test.broker.counter("appendsRefused")).isPositive();
            assertThat(rowsThatAreNotOfTheirSource(subscriber.deliveries)).isEmpty();
        }
    }

    private static List<StateClient.Delivery> rowsThatAreNotOfTheirSource(final List<StateClient.Delivery> all) {
        final Map<Object, Double> prices = new HashMap<>();
        final List<StateClient.Delivery> wrong = new ArrayList<>();
        all.stream()
                .sorted(Comparator.comparingLong(StateClient.Delivery::sequence))
                .forEach(delivery -> {
                    final Map<String, ?> fields = ModelJson.parse(delivery.text());
                    final double total = prices.values().stream()
                            .mapToDouble(Double::doubleValue)
                            .sum();
                    if (delivery.id() == 1) {
                        prices.put(fields.get("s"), (Double) fields.get("p"));
                    } else if (!fields.get("total").equals(total)) {
                        wrong.add(delivery);
                    }
                });
        assertThat(prices).hasSize(7);
        return wrong;
    }
}
