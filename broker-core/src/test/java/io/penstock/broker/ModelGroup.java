package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;

/** The rows of aggregates. */
final class ModelGroup {
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
        double sum = 0;
        double highest = Double.NEGATIVE_INFINITY;
        for (final double price : prices) {
            sum += price;
            highest = Math.max(highest, price);
        }
        if (prices.length > 0) {
            row.put("s", sum);
            row.put("hi", highest);
        }
        double total = 0;
        for (final double each : doubles) {
            total += each;
        }
        if (doubles.length > 0) {
            row.put("m", total / doubles.length);
        }
        members.stream()
                .map(fields -> (String) fields.get("t"))
                .filter(Objects::nonNull)
                .min(String::compareTo)
                .ifPresent(text -> row.put("lo", text));
        return row;
    }

    static void assertSame(final Map<String, @Nullable Object> came, final Map<String, @Nullable Object> expected) {
        final Map<String, Object> present = ModelJson.present(came);
        assertThat(present).containsOnlyKeys(expected.keySet());
        expected.forEach((name, value) -> {
            if (value instanceof Double number) {
                assertThat((Double) present.get(name))
                        .as(name)
                        .isCloseTo(number, Offset.offset(Math.abs(number) * 1e-9));
            } else {
                assertThat(present.get(name)).as(name).isEqualTo(value);
            }
        });
    }

    private static double[] numbers(final List<Map<String, @Nullable Object>> members, final String field) {
        return members.stream()
                .map(fields -> (Double) fields.get(field))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
    }
}
