package io.penstock.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.topic.ViewRule;
import io.penstock.broker.topic.WindowRule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What views over the last messages do in a duty cycle. */
class MovingViewCycleTest {
    private static final int BACKLOG = 10_000;
    private static final long TIME_NS = 1_000_000_000;

    /** Many messages leave at one time: some at a time, and nobody sees a row that is about half of them. */
    @Test
    void shouldLetMessagesGoSomeAtATimeAndShowNoRowMeanwhile() {
        final ViewRule rule =
                new ViewRule("v", "plain", "", "COUNT(*) AS n", "", new WindowRule(0, 0, TIME_NS, 1 << 24), null);
        try (WindowShard shard = new WindowShard(16, List.of(rule))) {
            shard.begin();
            final long begunNs = shard.clock.nanoTime();
            for (int i = 0; i < BACKLOG; i++) {
                shard.publish("plain", "{}");
            }
            shard.settle();
            shard.clock.update(begunNs + 1);
            shard.publish("plain", "{}");
            shard.settle();
            assertThat(shard.rows("v").values()).containsExactly("{\"n\":" + (BACKLOG + 1) + "}");

            shard.clock.update(begunNs + TIME_NS);
            int cycleCount = 0;
            while (shard.rows("v").containsValue("{\"n\":" + (BACKLOG + 1) + "}")) {
                shard.cycle();
                cycleCount++;
            }
            assertThat(cycleCount).isBetween(BACKLOG / 2048, 1 + BACKLOG / 2048);
            assertThat(shard.rows("v").values()).containsExactly("{\"n\":1}");
            shard.clock.update(begunNs + 1 + TIME_NS);
            shard.settle();
            assertThat(shard.rows("v")).isEmpty();
        }
    }

    /** Messages that come while others leave do not keep rows back for ever. */
    @Test
    void shouldCatchUpWhileMessagesCome() {
        final ViewRule rule =
                new ViewRule("v", "plain", "", "COUNT(*) AS n", "", new WindowRule(0, 0, TIME_NS, 1 << 24), null);
        try (WindowShard shard = new WindowShard(16, List.of(rule))) {
            shard.begin();
            final long begunNs = shard.clock.nanoTime();
            for (int i = 0; i < BACKLOG; i++) {
                shard.publish("plain", "{}");
            }
            shard.settle();
            shard.clock.update(begunNs + TIME_NS);
            int messageCount = 0;
            while (shard.rows("v").containsValue("{\"n\":" + BACKLOG + "}")) {
                for (int i = 0; i < 1_000; i++) {
                    shard.publish("plain", "{}");
                    messageCount++;
                }
                shard.cycle();
            }
            assertThat(messageCount).isLessThan(BACKLOG);
            shard.settle();
            assertThat(shard.rows("v").values()).containsExactly("{\"n\":" + messageCount + "}");
        }
    }

    /** More messages come in each duty cycle than leave at most when none come. */
    @Test
    void shouldShowRowsWhenVeryManyComeAndGo() {
        final ViewRule rule =
                new ViewRule("v", "plain", "", "COUNT(*) AS n", "", new WindowRule(0, 0, TIME_NS, 1 << 24), null);
        try (WindowShard shard = new WindowShard(16, List.of(rule))) {
            shard.begin();
            for (int i = 0; i < 15; i++) {
                shard.clock.advance(TIME_NS / 2);
                for (int j = 0; j < 3_000; j++) {
                    shard.publish("plain", "{}");
                }
                shard.cycle();
                shard.cycle();
                assertThat(shard.rows("v").values()).containsExactly("{\"n\":" + (i == 0 ? 3_000 : 6_000) + "}");
            }
        }
    }

    /** Messages of other topics are no business of a view. */
    @Test
    void shouldNotTouchAViewForMessagesOfOthers() {
        final ViewRule rule =
                new ViewRule("v", "plain", "", "COUNT(*) AS n", "", new WindowRule(10, 0, 0, 1 << 24), null);
        try (WindowShard shard = new WindowShard(8, List.of(rule))) {
            shard.begin();
            shard.publish("keyed", "{\"id\":1}");
            assertThat(shard.shard.mayChange()).isTrue();
            shard.publish("plain", "{\"id\":1}");
            assertThat(shard.shard.mayChange()).isFalse();
        }
    }
}
