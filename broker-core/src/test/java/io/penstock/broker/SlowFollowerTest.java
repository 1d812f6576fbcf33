package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.RecordKind;
import io.penstock.client.SubscribeRequest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Subscriptions that follow the changes of records and lag. */
class SlowFollowerTest {
    private static final int KEY_COUNT = 60;
    private static final int SHIFT_MAX = 120;

    /** The ring is found full when what is made for the subscription begins a segment, in some of these. */
    @Test
    void shouldMissNothingWhenItsRingIsFullAtTheEndOfASegment() {
        for (int shift = 0; shift < SHIFT_MAX; shift++) {
            try (TestBroker test = new TestBroker(builder -> builder.window(new WindowConfig(16 * 1024, 8))
                    .sessions(TestBroker.sessions(512, 7 * 1024))
                    .topic(TopicConfig.keyed("quotes", "json", "s")))) {
                assertMissesNothing(test, shift);
            }
        }
    }

    private static void assertMissesNothing(final TestBroker test, final int shift) {
        final StateClient publisher = new StateClient(test);
        final StateClient follower = new StateClient(test);
        for (int i = 0; i < KEY_COUNT; i++) {
            publisher.publish("quotes", text(i, 0, 1));
        }
        publisher.flush();
        follower.subscribe(1, SubscribeRequest.topic("quotes").sow().delta());
        test.settle();
        follower.paused = true;
        for (int i = 0; i < KEY_COUNT; i++) {
            publisher.publish("quotes", text(i, 1 + i, 100 + 20 * shift));
        }
        publisher.flush();
        follower.paused = false;
        test.settle();

        final Map<Object, Map<String, @Nullable Object>> shown = new HashMap<>();
        follower.deliveries.forEach(delivery -> {
            final Map<String, @Nullable Object> fields = ModelJson.parse(delivery.text());
            shown.merge(fields.get("s"), fields, delivery.kind() == RecordKind.DELTA ? ModelJson::merged : (a, b) -> b);
        });
        for (int i = 0; i < KEY_COUNT; i++) {
            assertThat(shown.get("" + i)).as("shift %d", shift).containsEntry("p", 1.0 + i);
        }
    }

    private static String text(final int i, final int price, final int padLength) {
        return "{\"s\":\"" + i + "\",\"p\":" + price + ",\"pad\":\"" + "x".repeat(padLength) + "\"}";
    }
}
