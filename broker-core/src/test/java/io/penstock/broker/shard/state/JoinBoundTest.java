package io.penstock.broker.shard.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.shard.WindowShard;
import io.penstock.broker.topic.JoinRule;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.ViewRule;
import io.penstock.broker.topic.WindowRule;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a join does when a record has more pairs than it may have. */
class JoinBoundTest {
    private static final int PAIR_COUNT_MAX = 3;

    private static final ViewRule RULE = new ViewRule(
            "joined",
            "orders",
            "",
            "/orders/id AS id, /customers/name AS name",
            "",
            WindowRule.NONE,
            new JoinRule("customers", "orders", "customers", false, "/orders/customer = /customers/id"));

    @Test
    void shouldStopAndSaySoOnceWhenARecordHasMorePairsThanItMayHave() {
        try (WindowShard test = new WindowShard(4, List.of())) {
            test.shard.commands().createTopic("orders", "json", StateRule.of("id", 0));
            test.shard.commands().createTopic("customers", "json", StateRule.of("id", 0));
            test.state().views().pairCountMax(PAIR_COUNT_MAX);
            assertThat(test.shard.createView(RULE)).isNull();
            test.publish("customers", "{\"id\":7,\"name\":\"a\"}");
            for (int id = 0; id < PAIR_COUNT_MAX; id++) {
                test.publish("orders", "{\"id\":" + id + ",\"customer\":7}");
            }
            test.settle();
            // As many as it may have.
            test.publish("customers", "{\"id\":7,\"name\":\"b\"}");
            test.settle();
            assertThat(test.rows("joined").values())
                    .hasSize(PAIR_COUNT_MAX)
                    .allSatisfy(row -> assertThat(row).contains("\"b\""));
            // This order has one pair.
            test.publish("orders", "{\"id\":3,\"customer\":7}");
            test.settle();
            assertThat(test.rows("joined")).hasSize(PAIR_COUNT_MAX + 1);

            final JoinView view = Objects.requireNonNull(test.state().find("orders"))
                    .joins
                    .get(0)
                    .view();
            assertThat(view.memoryLength()).isPositive();
            test.publish("customers", "{\"id\":7,\"name\":\"c\"}");
            assertThatThrownBy(test::settle)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("view joined: a record has more than 3 pairs; it is no longer kept up to date (join on"
                            + " fields of more values)");

            // It goes on without that view, and says it once.
            final Map<String, String> left = test.rows("joined");
            test.publish("orders", "{\"id\":4,\"customer\":8}");
            test.publish("customers", "{\"id\":8,\"name\":\"d\"}");
            test.settle();
            assertThat(test.rows("joined")).isEqualTo(left);
            assertThat(test.rows("orders")).hasSize(5);
            assertThat(test.rows("customers")).hasSize(2);
            assertThat(view.memoryLength()).isZero();
        }
    }
}
