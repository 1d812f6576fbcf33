package io.penstock.simulator;

import io.penstock.broker.TopicConfig;
import io.penstock.broker.ViewConfig;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A join of two topics, and the rows that two loops over their records find.
 *
 * @param isOuter      whether a left record without a pair has a row.
 * @param isMany       whether a left record may be in many pairs.
 * @param isFiltered   whether it is of some left records only.
 * @param expirationMs of the right records; 0 for never.
 */
record ModelJoin(boolean isOuter, boolean isMany, boolean isFiltered, long expirationMs) {
    private static final String NULL = "null";
    private static final int VALUE_MIN = Topics.VALUE_COUNT / 4;

    static ModelJoin choose(final SplittableRandom random) {
        return new ModelJoin(
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextInt(3) == 0,
                random.nextBoolean() ? 0 : 20 + random.nextInt(80));
    }

    /** One of its topics: both have to be in one shard. */
    TopicConfig topic(final String name) {
        return new TopicConfig(name, false, "json", 0, "id", name.equals(Topics.REFS) ? expirationMs : 0);
    }

    ViewConfig config() {
        final String on = isMany ? "/kv/g = /ref/h" : "/kv/g = /ref/id";
        return ViewConfig.join(
                Topics.JOIN,
                isOuter
                        ? ViewConfig.Join.left(Topics.KEYED, Topics.REFS, on)
                        : ViewConfig.Join.inner(Topics.KEYED, Topics.REFS, on),
                isFiltered ? "/kv/v >= " + VALUE_MIN : "",
                "/kv/id AS id" + (isMany ? ", /ref/id AS r" : "") + ", /kv/v AS v, /ref/w AS w");
    }

    /** A view of the join. */
    static ViewConfig sums() {
        return new ViewConfig(Topics.SUMS, Topics.JOIN, "", "w AS g, COUNT(*) AS n, SUM(v) AS s", "w");
    }

    /** The rows of that view by their keys. */
    static Map<String, Map<String, String>> sums(final Iterable<Map<String, String>> pairs) {
        final Map<String, long[]> groups = new TreeMap<>();
        for (final Map<String, String> pair : pairs) {
            final long[] group = groups.computeIfAbsent(pair.getOrDefault("w", NULL), key -> new long[2]);
            group[0]++;
            group[1] += Long.parseLong(pair.getOrDefault("v", "0"));
        }
        final Map<String, Map<String, String>> rows = new TreeMap<>();
        groups.forEach((key, group) -> rows.put(key, Map.of("g", key, "n", "" + group[0], "s", "" + group[1])));
        return rows;
    }

    /** The rows by their keys. */
    Map<String, Map<String, String>> rows(
            final Iterable<Map<String, String>> lefts, final Iterable<Map<String, String>> rights) {
        final Map<String, Map<String, String>> rows = new TreeMap<>();
        for (final Map<String, String> left : lefts) {
            boolean isPaired = false;
            for (final Map<String, String> right : rights) {
                final String value = right.get(isMany ? "h" : "id");
                if (value != null && value.equals(left.get("g"))) {
                    isPaired = true;
                    add(rows, left, right);
                }
            }
            if (isOuter && !isPaired) {
                add(rows, left, null);
            }
        }
        return rows;
    }

    private void add(
            final Map<String, Map<String, String>> rows,
            final Map<String, String> left,
            final @Nullable Map<String, String> right) {
        if (isFiltered && Long.parseLong(left.getOrDefault("v", "0")) < VALUE_MIN) {
            return;
        }
        final Map<String, String> row = new TreeMap<>();
        row.put("id", left.getOrDefault("id", NULL));
        row.put("v", left.getOrDefault("v", NULL));
        row.put("w", right == null ? NULL : right.getOrDefault("w", NULL));
        if (isMany) {
            row.put("r", right == null ? NULL : right.getOrDefault("id", NULL));
        }
        rows.put(Topics.key(Topics.JOIN, "", row), row);
    }
}
