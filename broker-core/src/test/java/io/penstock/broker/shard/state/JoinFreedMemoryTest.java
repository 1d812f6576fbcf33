package io.penstock.broker.shard.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.WindowShard;
import io.penstock.broker.topic.JoinRule;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.ViewRule;
import io.penstock.broker.topic.WindowRule;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a join reads while its records come to lie where others were. */
class JoinFreedMemoryTest {
    private static final int ROUND_COUNT = 50;

    private final WindowShard test = new WindowShard(4, List.of());

    private static ViewRule joined(final String source, final String select) {
        return new ViewRule(
                "joined",
                source,
                "",
                select,
                "",
                WindowRule.NONE,
                new JoinRule("customers", source, "customers", true, "/" + source + "/customer = /customers/id"));
    }

    @BeforeEach
    void create() {
        test.shard.commands().createTopic("orders", "json", StateRule.of("id", 0));
        test.shard.commands().createTopic("customers", "json", StateRule.of("id", 0));
    }

    private void order(final int id, final int n, final boolean isOpen) {
        // As long each time.
        test.publish(
                "orders",
                "{\"id\":" + id + ",\"customer\":7,\"open\":" + (isOpen ? 1 : 0) + ",\"n\":" + (1_000 + n) + "}");
    }

    private void customer(final int n) {
        test.publish("customers", "{\"id\":7,\"name\":" + (1_000 + n) + "}");
    }

    private long address(final String topic) {
        return Objects.requireNonNull(test.state().find(topic)).store.newest(0);
    }

    @Test
    void shouldShowWhatIsNewestWhenItLiesWhereWasReadBefore() {
        try (test) {
            assertThat(test.shard.createView(
                            joined("orders", "/orders/id AS id, /orders/n AS n, /customers/name AS name")))
                    .isNull();
            customer(0);
            order(1, 0, true);
            test.settle();
            final Set<Long> places = new HashSet<>();
            int againCount = 0;
            for (int round = 1; round <= ROUND_COUNT; round++) {
                places.add(address("orders"));
                places.add(address("customers"));
                // They take the places of former ones.
                for (int n = 2 * round; n <= 2 * round + 1; n++) {
                    customer(n);
                    order(1, n, true);
                }
                againCount += places.contains(address("orders")) || places.contains(address("customers")) ? 1 : 0;
                test.settle();
                final int newest = 1_000 + 2 * round + 1;
                assertThat(test.rows("joined").values())
                        .as("round %d", round)
                        .containsExactly("{\"id\":1,\"n\":" + newest + ",\"name\":" + newest + "}");
            }
            assertThat(againCount).isPositive();
        }
    }

    @Test
    void shouldForgetRecordsWhoseMemoryIsFreed() {
        try (test) {
            assertThat(test.shard.createView(
                            new ViewRule("open", "orders", "open = 1", "id, customer, n", "", WindowRule.NONE, null)))
                    .isNull();
            assertThat(test.shard.createView(joined("open", "/open/id AS id, /open/n AS n, /customers/name AS name")))
                    .isNull();
            customer(0);
            for (int round = 1; round <= ROUND_COUNT; round++) {
                // One comes and one goes, so that what comes lies where the other was.
                order(round % 2, round, true);
                order((round + 1) % 2, round, false);
                if (round % 3 == 0) {
                    customer(round);
                }
                test.settle();
                assertThat(test.rows("joined").values())
                        .as("round %d", round)
                        .containsExactly("{\"id\":" + round % 2 + ",\"n\":" + (1_000 + round) + ",\"name\":"
                                + (1_000 + round / 3 * 3) + "}");
            }
        }
    }
}
