package io.penstock.broker;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A filter, and what it means, from a small family.
 *
 * @param text      as the broker gets it.
 * @param condition on the fields of a record.
 */
record ModelFilter(String text, Predicate<Map<String, @Nullable Object>> condition) {
    static final ModelFilter ALL = new ModelFilter("", fields -> true);

    static ModelFilter random(final Random random) {
        final int n = random.nextInt(20);
        final int g = random.nextInt(4);
        return switch (random.nextInt(16)) {
            case 0, 1, 2 -> ALL;
            case 3 -> new ModelFilter("p > " + n, fields -> number(fields, "p") > n);
            case 4 -> new ModelFilter("p <= " + n, fields -> number(fields, "p") <= n);
            case 5 -> new ModelFilter("g = " + g, fields -> number(fields, "g") == g);
            case 6 -> new ModelFilter("t IS NULL", fields -> fields.get("t") == null);
            case 7 -> new ModelFilter("t LIKE 'a%'", fields -> text(fields).startsWith("a"));
            case 8 ->
                new ModelFilter(
                        "p > " + n + " AND g <> " + g,
                        fields -> number(fields, "p") > n && fields.get("g") != null && number(fields, "g") != g);
            case 9 ->
                new ModelFilter(
                        "NOT (p > " + n + ") OR d >= 2.5",
                        fields -> number(fields, "p") <= n || number(fields, "d") >= 2.5);
            case 10 ->
                new ModelFilter(
                        "p BETWEEN " + g + " AND " + n, fields -> number(fields, "p") >= g && number(fields, "p") <= n);
            case 11 -> new ModelFilter("/o/x > " + n, fields -> number(fields, "/o/x") > n);
            case 12 -> new ModelFilter("/o/y/z IS NOT NULL", fields -> ModelJson.at(fields, "/o/y/z") != null);
            case 13 -> new ModelFilter("/o/v = " + g, fields -> items(fields).contains((double) g));
            case 14 ->
                new ModelFilter(
                        "/o/v[1] <= " + g + " OR p > " + n,
                        fields -> (items(fields).size() > 1
                                        && (Double) items(fields).get(1) <= g)
                                || number(fields, "p") > n);
            default ->
                new ModelFilter(
                        "g IN (0, " + g + ") OR t = 'ab'",
                        fields -> number(fields, "g") == 0
                                || number(fields, "g") == g
                                || text(fields).equals("ab"));
        };
    }

    boolean matches(final @Nullable Map<String, @Nullable Object> fields) {
        return fields != null && condition.test(fields);
    }

    /** A number that makes every comparison false when the field is null. */
    private static double number(final Map<String, @Nullable Object> fields, final String name) {
        return ModelJson.at(fields, name) instanceof Double number ? number : Double.NaN;
    }

    private static List<?> items(final Map<String, @Nullable Object> fields) {
        return ModelJson.at(fields, "/o/v") instanceof List<?> items ? items : List.of();
    }

    private static String text(final Map<String, @Nullable Object> fields) {
        return fields.get("t") instanceof String text ? text : "";
    }
}
