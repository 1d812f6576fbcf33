package io.penstock.standalone.conformance;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A filter, a message's fields, and what comes out.
 *
 * @param id         of the case.
 * @param tier       {@code core}, {@code sql} or {@code choice}.
 * @param category   what it is about.
 * @param expression the filter.
 * @param fields     of the message: booleans, longs, doubles, strings and nulls; null when there is only the text.
 * @param expected   outcome.
 * @param truth      {@code T}, {@code F} or {@code U} where the three truth values are distinguished, or null.
 */
record ConformanceCase(
        String id,
        String tier,
        String category,
        String expression,
        @Nullable Map<String, @Nullable Object> fields,
        Outcome expected,
        @Nullable String truth) {
    /** Returns whether a failure of it means that the language is wrong rather than different. */
    boolean isBinding() {
        return !tier.equals("choice");
    }

    ConformanceCase expecting(final Outcome decided) {
        return new ConformanceCase(id, tier, category, expression, fields, decided, truth);
    }
}
