package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.Permissions;
import io.penstock.client.SubscribeRequest;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A subscription that follows state is replaced while its shard looks for what its other filter shows. */
@Timeout(60)
class ReplacedWhileChangedTest {
    private static final int COUNT = 5_000;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendEachChangeOnceWhenASubscriptionIsReplacedWhileRowsAreSearchedFor(final boolean isFound) {
        try (TestBroker test = GuardedBroker.start(
                reading("desk = 'E'"), builder -> builder.topic(TopicConfig.keyed("o", "json", "id")))) {
            final StateClient root = new StateClient(test, "root");
            final StateClient trader = new StateClient(test, "trader-E");
            for (int i = 0; i < COUNT; i++) {
                root.publish("o", record(i, isFound && i < 3 ? "W" : "N", 1));
                if (i % 500 == 0) {
                    root.flush();
                }
            }
            root.flush();
            trader.subscribe(1, SubscribeRequest.topic("o").oof());
            test.settle();
            test.broker.permissions(reading("desk IN ('E', 'W')"));
            final long replace = trader.offer(() ->
                    trader.session.offerReplace(1, SubscribeRequest.topic("o").oof()));
            test.await(() -> trader.acks.containsKey(replace));
            publish(root, 2);
            final List<String> before = isFound ? messages(1) : List.of();
            assertThat(trader.take())
                    .containsExactlyElementsOf(
                            Stream.concat(before.stream(), messages(2).stream()).toList());
            publish(root, 3);
            assertThat(trader.take()).containsExactlyElementsOf(messages(3));
            assertThat(trader.errors).isEmpty();
            assertThat(test.broker.counter("snapshots")).isZero();
        }
    }

    private static void publish(final StateClient root, final int v) {
        for (int i = 0; i < 3; i++) {
            root.publish("o", record(i, "W", v));
        }
        root.flush();
    }

    private static List<String> messages(final int v) {
        return IntStream.range(0, 3)
                .mapToObj(id -> "1 MESSAGE " + record(id, "W", v))
                .toList();
    }

    private static String record(final int id, final String desk, final int v) {
        return "{\"id\":" + id + ",\"desk\":\"" + desk + "\",\"v\":" + v + "}";
    }

    private static Permissions reading(final String filter) {
        return traders(allow("read", "o", filter));
    }
}
