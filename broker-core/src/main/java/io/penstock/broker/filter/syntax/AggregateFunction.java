package io.penstock.broker.filter.syntax;

import io.penstock.broker.filter.value.ValueKind;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The functions of all messages of a group. NULLs count only in {@code COUNT(*)}. */
public enum AggregateFunction {
    /** How many messages, or how many values that are not NULL. */
    COUNT(ValueKind.NUMBER, ValueKind.ANY),
    /** The sum of the numbers, NULL when there are none. */
    SUM(ValueKind.NUMBER, ValueKind.NUMBER),
    /** The mean of the numbers, NULL when there are none. */
    AVG(ValueKind.NUMBER, ValueKind.NUMBER),
    /** The least value, NULL when there is none: booleans come before numbers and numbers before texts. */
    MIN(ValueKind.ANY, ValueKind.ANY),
    /** The greatest value, NULL when there is none, in the same order. */
    MAX(ValueKind.ANY, ValueKind.ANY);

    private final ValueKind result;
    private final ValueKind argument;

    AggregateFunction(final ValueKind result, final ValueKind argument) {
        this.result = result;
        this.argument = argument;
    }

    /** Finds a function by its name in any case. */
    static @Nullable AggregateFunction named(final String name) {
        final String upperCase = name.toUpperCase(Locale.ROOT);
        for (final AggregateFunction function : values()) {
            if (function.name().equals(upperCase)) {
                return function;
            }
        }
        return null;
    }

    static String names() {
        return Arrays.stream(values()).map(Enum::name).collect(Collectors.joining(", "));
    }

    ValueKind result() {
        return result;
    }

    ValueKind argument() {
        return argument;
    }
}
