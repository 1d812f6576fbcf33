package io.penstock.broker.filter;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An expression that evaluates itself over Java values in the plainest way, to hold compiled filters against. NULL and
 * unknown are null, an object is {@link #OBJECT}.
 *
 * @param text     as a filter writes it.
 * @param power    of its outermost operator, as {@link RandomExpressions} numbers them.
 * @param evaluate over a message.
 */
record Model(String text, int power, Evaluate evaluate) {
    /** A value that compares with nothing. */
    static final Object OBJECT = Map.of();

    /** Evaluates. */
    interface Evaluate {
        @Nullable
        Object over(Map<String, ?> message);
    }

    @Nullable
    Object value(final Map<String, ?> message) {
        return evaluate.over(message);
    }

    /** As functions and arithmetic see it: of an array the first element. */
    @Nullable
    Object scalar(final Map<String, ?> message) {
        final Object value = value(message);
        return value instanceof List<?> list ? list.isEmpty() ? null : ModelValues.element(list.get(0)) : value;
    }

    @Nullable
    Boolean condition(final Map<String, ?> message) {
        return ModelValues.any(value(message), ModelValues::truth);
    }
}
