package io.penstock.simulator;

import io.penstock.broker.ViewConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A view of the last messages of a topic, and its rows computed anew from all of these.
 *
 * @param source            the topic.
 * @param messageCount      that count, of all; 0 for any number.
 * @param groupMessageCount that count, of each group; 0 for any number.
 * @param timeMs            how long a message counts; 0 for ever.
 */
record ModelWindow(String source, int messageCount, int groupMessageCount, int timeMs) {
    private static final long MS_NS = 1_000_000;
    private static final String AGGREGATES = "COUNT(*) AS n, SUM(v) AS s, MIN(v) AS lo, MAX(v) AS hi";

    /** A message of the source, as the log has it. */
    record Said(long sequence, long timeNs, String group, long value) {}

    static ModelWindow choose(final SplittableRandom random) {
        final int kind = random.nextInt(5);
        return new ModelWindow(
                random.nextBoolean() ? Topics.LOG : Topics.KEYED,
                kind == 0 || kind == 3 ? 1 + random.nextInt(40) : 0,
                kind == 1 || kind == 4 ? 1 + random.nextInt(12) : 0,
                kind >= 2 ? 10 + random.nextInt(200) : 0);
    }

    ViewConfig config() {
        final String group = group();
        return new ViewConfig(Topics.WINDOW, source, "", group + " AS g, " + AGGREGATES, group)
                .over(new ViewConfig.Window(
                        messageCount, groupMessageCount, timeMs, ViewConfig.Window.LENGTH_MAX_DEFAULT));
    }

    private String group() {
        return source.equals(Topics.LOG) ? "p" : "g";
    }

    /** A message of the source was taken. */
    Said said(final ModelLog.Entry entry, final Map<String, String> message) {
        return new Said(
                entry.sequence(),
                entry.timestampNs(),
                message.getOrDefault(group(), "null"),
                Long.parseLong(message.getOrDefault("v", "0")));
    }

    /**
     * The rows by their keys.
     *
     * @param messages of the source, in their order.
     * @param floor    the first record that the broker knows of.
     * @param nowNs    when it is.
     */
    Map<String, Map<String, String>> rows(final List<Said> messages, final long floor, final long nowNs) {
        final Map<String, List<Long>> groups = new TreeMap<>();
        final Map<String, Integer> counts = new HashMap<>();
        int count = 0;
        for (int i = messages.size() - 1; i >= 0; i--) {
            final Said each = messages.get(i);
            if (each.sequence() < floor
                    || (timeMs > 0 && each.timeNs() + timeMs * MS_NS <= nowNs)
                    || (messageCount > 0 && count == messageCount)) {
                break;
            }
            count++;
            if (groupMessageCount == 0 || counts.merge(each.group(), 1, Integer::sum) <= groupMessageCount) {
                groups.computeIfAbsent(each.group(), group -> new ArrayList<>()).add(each.value());
            }
        }
        final Map<String, Map<String, String>> rows = new TreeMap<>();
        groups.forEach((group, values) -> rows.put(group, row(group, values)));
        return rows;
    }

    private static Map<String, String> row(final String group, final List<Long> values) {
        long sum = 0;
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (final long value : values) {
            sum += value;
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        return Map.of("g", group, "n", "" + values.size(), "s", "" + sum, "lo", "" + least, "hi", "" + most);
    }

    /**
     * Times at which a row may have been made that was published at a time: it waits while the log has no room, and no message
     * of the source comes meanwhile.
     */
    List<Long> times(final List<Said> messages, final long publishedNs) {
        final List<Long> times = new ArrayList<>(List.of(publishedNs));
        if (timeMs > 0 && !messages.isEmpty()) {
            final long last = messages.get(messages.size() - 1).timeNs();
            for (int i = messages.size() - 1; i >= 0; i--) {
                final long before = messages.get(i).timeNs() + timeMs * MS_NS - 1;
                if (before < last) {
                    break;
                }
                if (before < publishedNs) {
                    times.add(before);
                }
            }
        }
        return times;
    }
}
