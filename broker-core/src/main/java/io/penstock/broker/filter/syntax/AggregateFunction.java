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
    /** How many different values that are not NULL, as a group by tells them apart: {@code COUNT(DISTINCT x)}. */
    COUNT_DISTINCT(ValueKind.NUMBER, ValueKind.ANY),
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

    /** Finds a function by its name in any case, that of one without DISTINCT. */
    static @Nullable AggregateFunction named(final String name) {
        final String upperCase = name.toUpperCase(Locale.ROOT);
        for (final AggregateFunction function : values()) {
            if (function != COUNT_DISTINCT && function.name().equals(upperCase)) {
                return function;
            }
        }
        return null;
    }

    static String names() {
        return Arrays.stream(values())
                .filter(function -> function != COUNT_DISTINCT)
                .map(Enum::name)
                .collect(Collectors.joining(", "));
    }

    /** What a canonical text has before the argument. */
    String start() {
        return this == COUNT_DISTINCT ? "COUNT(DISTINCT " : name() + '(';
    }

    ValueKind result() {
        return result;
    }

    ValueKind argument() {
        return argument;
    }
}
