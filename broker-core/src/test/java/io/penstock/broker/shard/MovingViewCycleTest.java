package io.penstock.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.ViewRule;
import io.penstock.broker.topic.WindowRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What views over the last messages do in a duty cycle. */
class MovingViewCycleTest {
    private static final int BACKLOG = 10_000;

    /** A duty cycle may end two batches. */
    private static final int ROWS_OF_A_CYCLE = 2 * 1024;

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

    /** Very many groups change at one time: their rows come and go some at a time, in the order of the messages. */
    @Test
    void shouldMakeRowsSomeAtATimeAndInOrder() {
        final ViewRule rule =
                new ViewRule("v", "plain", "", "g, COUNT(*) AS n", "g", new WindowRule(0, 0, TIME_NS, 1 << 24), null);
        try (WindowShard shard = new WindowShard(16, List.of(rule))) {
            shard.begin();
            final StateStore view =
                    Objects.requireNonNull(shard.state().find("v")).store();
            final long begunNs = shard.clock.nanoTime();
            for (int i = 0; i < BACKLOG; i++) {
                shard.publish("plain", "{\"g\":" + i + "}");
            }
            int count = 0;
            while (count < BACKLOG) {
                assertThat(shard.cycle()).isPositive();
                final int next = Math.toIntExact(view.liveCount());
                assertThat(next - count).isBetween(1, ROWS_OF_A_CYCLE);
                count = next;
            }
            shard.clock.update(begunNs + TIME_NS);
            while (count > 0) {
                assertThat(shard.cycle()).isPositive();
                final int next = Math.toIntExact(view.liveCount());
                assertThat(count - next).isBetween(0, ROWS_OF_A_CYCLE);
                count = next;
            }
            final List<Integer> order = new ArrayList<>();
            final Matcher group = Pattern.compile("\\{\"g\":([0-9]+),").matcher(String.join("\n", shard.records("v")));
            while (group.find()) {
                order.add(Integer.valueOf(group.group(1)));
            }
            final List<Integer> expected = new ArrayList<>();
            for (int i = 0; i < 2 * BACKLOG; i++) {
                expected.add(i % BACKLOG);
            }
            assertThat(order).isEqualTo(expected);
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
