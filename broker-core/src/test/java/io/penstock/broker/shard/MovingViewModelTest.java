package io.penstock.broker.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.Aggregation;
import io.penstock.broker.query.SelectList;
import io.penstock.broker.topic.ViewRule;
import io.penstock.broker.topic.WindowRule;
import io.penstock.format.MessageFormats;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Views over the last messages of topics, compared after each step with rows that are computed anew from the messages that
 * are to be in the window then.
 */
class MovingViewModelTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_127L);
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 60);
    private static final int STEP_COUNT = 120;
    private static final String SELECT =
            "g, COUNT(*) AS n, COUNT(p) AS c, SUM(p) AS s, AVG(p) AS m, MIN(p) AS lo, MAX(p) AS hi, MAX(t) AS t,"
                    + " COUNT(DISTINCT p) AS u";
    private static final String SELECT_ALL =
            "COUNT(*) AS n, SUM(p) AS s, MIN(p) AS lo, MAX(t) AS t," + " COUNT(DISTINCT t) AS u";
    private static final String[] PRICES = {
        "1", "2", "-3", "0.1", "0.2", "1e300", "-1e300", "1e-300", "12345678901234567", "\"x\"", "null", "true", "1.0"
    };

    @Test
    void shouldHaveTheRowsOfTheMessagesInTheWindowAfterEachStep() {
        for (long seed = SEED; seed < SEED + SEED_COUNT; seed++) {
            try {
                new Run(seed).run();
            } catch (final AssertionError failed) {
                throw new AssertionError("seed " + seed + ": " + failed.getMessage(), failed);
            }
        }
    }

    /** A message, and when it was taken. */
    private record Message(String text, String group, boolean isMatching, long timeNs) {}

    private static final class Run {
        private final Random random;
        private final String source;
        private final ViewRule rule;
        private final ViewRule second;
        private final List<Message> messages = new ArrayList<>();
        private long timeNs;

        Run(final long seed) {
            random = new Random(seed);
            source = random.nextBoolean() ? "plain" : "keyed";
            final int kind = random.nextInt(5);
            final long count = 1L + random.nextInt(12);
            final WindowRule window = new WindowRule(
                    kind == 0 || kind == 3 ? count : 0,
                    kind == 1 || kind == 4 ? 1 + random.nextInt(4) : 0,
                    kind >= 2 ? 1 + random.nextInt(1_000) : 0,
                    1 << 20);
            final boolean isGrouped = random.nextInt(4) > 0 || kind == 1;
            rule = new ViewRule(
                    "v",
                    source,
                    random.nextBoolean() ? "q > 2" : "",
                    isGrouped ? SELECT : SELECT_ALL,
                    isGrouped ? "g" : "",
                    window,
                    null);
            // The rows of the first one are the messages of the second one.
            second = new ViewRule(
                    "w", "v", "", "COUNT(*) AS n, MAX(n) AS most", "", new WindowRule(3, 0, 0, 1 << 20), null);
        }

        void run() {
            final List<ViewRule> views = List.of(rule, second);
            try (WindowShard one = new WindowShard(8, views);
                    WindowShard other = new WindowShard(8, views);
                    WindowShard again = new WindowShard(8, views)) {
                one.begin();
                other.begin();
                timeNs = 1_000_000;
                for (int i = 0; i < STEP_COUNT; i++) {
                    step(List.of(one, other));
                    check(one);
                }
                assertThat(other.records("v")).as("the same again: %s", rule).isEqualTo(one.records("v"));
                assertThat(other.records("w")).isEqualTo(one.records("w"));
                checkChanges(one.records("v"));
                timeNs += random.nextInt(600);
                again.replay(one, timeNs);
                one.clock.update(timeNs);
                one.settle();
                check(again);
                assertThat(again.rows("w")).as("of rows").isEqualTo(one.rows("w"));
                for (int i = 0; i < STEP_COUNT; i++) {
                    step(List.of(one, again));
                    check(again);
                }
                assertThat(again.rows("w")).as("of rows, later").isEqualTo(one.rows("w"));
            }
        }

        private void step(final List<WindowShard> shards) {
            timeNs += random.nextInt(3) == 0 ? random.nextInt(900) : random.nextInt(60);
            final List<Message> taken = new ArrayList<>();
            for (int i = random.nextInt(5) - 1; i > 0; i--) {
                final int group = random.nextInt(5);
                final int q = random.nextInt(8);
                final String g = group == 0 ? "" : ",\"g\":" + (group == 1 ? "1.0" : "\"g" + group + "\"");
                final String pad = "x".repeat(random.nextInt(4) == 0 ? random.nextInt(300) : 0);
                final String text =
                        "{\"id\":" + random.nextInt(6) + g + ",\"p\":" + PRICES[random.nextInt(PRICES.length)]
                                + ",\"q\":" + q + ",\"t\":\"t" + random.nextInt(9) + "\",\"pad\":\"" + pad + "\"}";
                taken.add(new Message(text, g, rule.filter().isEmpty() || q > 2, timeNs));
            }
            messages.addAll(taken);
            for (final WindowShard shard : shards) {
                shard.clock.update(timeNs);
                taken.forEach(each -> shard.publish(source, each.text()));
                shard.settle();
            }
        }

        private void check(final WindowShard shard) {
            assertThat(shard.rows("v").values())
                    .as("%s at %d of %s", rule, timeNs, messages)
                    .containsExactlyInAnyOrderElementsOf(expected());
        }

        /** Rows of the messages that are in the window, each added once and none taken away. */
        private Collection<String> expected() {
            final Aggregation scan = Aggregation.scan(
                    SelectList.parse(rule.select(), rule.groupBy(), FilterLimits.DEFAULTS),
                    MessageFormats.formatFor("json"),
                    1_000);
            for (final Message each : inWindow()) {
                final UnsafeBuffer bytes = new UnsafeBuffer(each.text().getBytes(UTF_8));
                assertThat(scan.add(bytes, 0, bytes.capacity())).isTrue();
            }
            final List<String> rows = new ArrayList<>();
            scan.forEach((key, offset, length, count, row) -> {
                final UnsafeBuffer to = new UnsafeBuffer(new byte[4096]);
                final int rowLength = row.write(to, 0, 4096);
                if (count > 0) {
                    rows.add(to.getStringWithoutLengthUtf8(0, rowLength));
                }
            });
            return rows;
        }

        private List<Message> inWindow() {
            final WindowRule window = rule.window();
            final Map<String, Integer> newer = new HashMap<>();
            final List<Message> in = new ArrayList<>();
            int all = 0;
            for (int i = messages.size() - 1; i >= 0; i--) {
                final Message each = messages.get(i);
                if (each.isMatching()) {
                    final int ofGroup = newer.merge(rule.groupBy().isEmpty() ? "" : each.group(), 1, Integer::sum);
                    all++;
                    if ((window.messageCount() == 0 || all <= window.messageCount())
                            && (window.groupMessageCount() == 0 || ofGroup <= window.groupMessageCount())
                            && (window.timeNs() == 0 || each.timeNs() > timeNs - window.timeNs())) {
                        in.add(each);
                    }
                }
            }
            Collections.reverse(in);
            return in;
        }

        /** No row comes twice in a row. */
        private static void checkChanges(final List<String> records) {
            final Map<String, String> last = new HashMap<>();
            for (final String each : records) {
                final String row = each.substring(each.indexOf(' '));
                final String key = row.contains("\"g\"") ? row.substring(0, row.indexOf(",\"n\"")) : "";
                final String before = last.put(key, each.charAt(0) + row);
                assertThat(each.charAt(0) + row).as("%s after %s", each, before).isNotEqualTo(before);
            }
        }
    }
}
