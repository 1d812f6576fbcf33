package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rows of aggregates. */
final class ModelGroup {
    /** What the rows are made of; the names are those of the fields that they are about. */
    static final String SELECT =
            "COUNT(*) AS n, COUNT(p) AS c, SUM(p) AS s, AVG(d) AS d, MIN(t) AS t, MAX(p) AS p, MIN(d) AS low,"
                    + " COUNT(DISTINCT d) AS u, COUNT(DISTINCT t) AS v";

    private ModelGroup() {}

    static Map<String, @Nullable Object> row(
            final @Nullable Double group, final List<Map<String, @Nullable Object>> members) {
        final Map<String, @Nullable Object> row = new HashMap<>();
        if (group != null && !group.isNaN()) {
            row.put("g", group);
        }
        final double[] prices = numbers(members, "p");
        final double[] doubles = numbers(members, "d");
        row.put("n", (double) members.size());
        row.put("c", (double) prices.length);
        row.put("u", (double) Arrays.stream(doubles).distinct().count());
        row.put("v", (double) members.stream()
                .map(fields -> fields.get("t"))
                .filter(Objects::nonNull)
                .distinct()
                .count());
        double sum = 0;
        double highest = Double.NEGATIVE_INFINITY;
        for (final double price : prices) {
            sum += price;
            highest = Math.max(highest, price);
        }
        if (prices.length > 0) {
            row.put("s", sum);
            row.put("p", highest);
        }
        double total = 0;
        double lowest = Double.POSITIVE_INFINITY;
        for (final double each : doubles) {
            total += each;
            lowest = Math.min(lowest, each);
        }
        if (doubles.length > 0) {
            row.put("d", total / doubles.length);
            row.put("low", lowest);
        }
        members.stream()
                .map(fields -> (String) fields.get("t"))
                .filter(Objects::nonNull)
                .min(String::compareTo)
                .ifPresent(text -> row.put("t", text));
        return row;
    }

    static void assertSame(final Map<String, @Nullable Object> came, final Map<String, @Nullable Object> expected) {
        assertThat(areSame(came, expected)).as("%s is %s", came, expected).isTrue();
    }

    /** Whether two rows have the same fields, and numbers that are the same but for rounding. */
    static boolean areSame(final Map<String, @Nullable Object> came, final Map<String, @Nullable Object> expected) {
        final Map<String, Object> present = ModelJson.present(came);
        return present.keySet().equals(expected.keySet())
                && expected.entrySet().stream().allMatch(each -> areSame(present.get(each.getKey()), each.getValue()));
    }

    private static boolean areSame(final @Nullable Object came, final @Nullable Object expected) {
        return (expected instanceof Double number && came instanceof Double other)
                ? Math.abs(number - other) <= Math.abs(number) * 1e-9
                : Objects.equals(came, expected);
    }

    /** The fields of a row that are not null. */
    static Map<String, @Nullable Object> present(final Map<String, @Nullable Object> row) {
        final Map<String, @Nullable Object> present = new HashMap<>(row);
        present.values().removeIf(Objects::isNull);
        return present;
    }

    private static double[] numbers(final List<Map<String, @Nullable Object>> members, final String field) {
        return members.stream()
                .map(fields -> (Double) fields.get(field))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
    }
}
