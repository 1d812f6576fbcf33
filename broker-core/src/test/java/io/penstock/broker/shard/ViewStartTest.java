package io.penstock.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.topic.ViewRule;
import io.penstock.broker.topic.WindowRule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is known of views after a start, before the sequencer has run. */
class ViewStartTest {
    /** More than a view applies at a time. */
    private static final int GROUP_COUNT = 3_000;

    private static final long TIME_NS = 1_000_000_000;

    private static final List<ViewRule> RULES = List.of(
            new ViewRule("w", "plain", "", "g, COUNT(*) AS n", "g", new WindowRule(0, 0, TIME_NS, 1 << 24), null),
            new ViewRule("v", "keyed", "", "COUNT(*) AS n", "", WindowRule.NONE, null),
            new ViewRule("vv", "w", "", "COUNT(*) AS n", "", WindowRule.NONE, null));

    @Test
    void shouldBeUpToDateBeforeTheFirstDutyCycleWhenAllTopicsAreKnown() {
        try (WindowShard before = new WindowShard(16, RULES);
                WindowShard after = new WindowShard(16, RULES)) {
            publish(before);
            after.replay(before, before.clock.nanoTime(), before.clock.nanoTime());

            assertThat(after.shard.mayChange()).isTrue();
            assertThat(after.shard.published().get()).isZero();
            assertThat(after.rows("w")).isEqualTo(before.rows("w")).hasSize(GROUP_COUNT);
            after.publish("keyed", "{\"id\":3}");
            after.settle();
            assertThat(after.rows("v").values()).containsExactly("{\"n\":3}");
        }
    }

    @Test
    void shouldPublishAllThatHasChangedBeforeTheFirstDutyCycle() {
        try (WindowShard before = new WindowShard(16, RULES);
                WindowShard after = new WindowShard(16, RULES)) {
            publish(before);
            final long laterNs = before.clock.nanoTime() + 2 * TIME_NS;
            after.replay(before, laterNs, laterNs);

            assertThat(after.shard.mayChange()).isTrue();
            assertThat(after.rows("w")).isEmpty();
            assertThat(after.rows("vv")).isEmpty();
        }
    }

    /** Messages leave between the time when a view is added and that when it is brought up to date. */
    @Test
    void shouldComputeRowsBeforeTheFirstDutyCycleWhenMessagesLeaveMeanwhile() {
        try (WindowShard before = new WindowShard(16, RULES);
                WindowShard after = new WindowShard(16, RULES)) {
            publish(before);
            final long timeNs = before.clock.nanoTime();
            after.replay(before, timeNs, timeNs + 2 * TIME_NS);

            assertThat(after.rows("w")).isEmpty();
            assertThat(after.rows("vv")).isEmpty();
        }
    }

    private static void publish(final WindowShard shard) {
        shard.begin();
        for (int i = 0; i < GROUP_COUNT; i++) {
            shard.publish("plain", "{\"g\":\"g" + i + "\"}");
        }
        shard.publish("keyed", "{\"id\":1}");
        shard.publish("keyed", "{\"id\":2}");
        shard.settle();
        assertThat(shard.rows("vv").values()).containsExactly("{\"n\":" + GROUP_COUNT + "}");
    }
}
