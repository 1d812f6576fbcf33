package io.penstock.broker.filter.syntax;

import io.penstock.broker.filter.value.ValueKind;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The functions that filters may call: their names, arguments and kinds. */
public enum FilterFunction {
    ABS(ValueKind.NUMBER, 1, ValueKind.NUMBER),
    CEIL(ValueKind.NUMBER, 1, ValueKind.NUMBER),
    COALESCE(ValueKind.ANY, 1, Integer.MAX_VALUE, ValueKind.ANY),
    CONCAT(ValueKind.TEXT, 1, Integer.MAX_VALUE, ValueKind.TEXT),
    FLOOR(ValueKind.NUMBER, 1, ValueKind.NUMBER),
    GEO_DISTANCE(ValueKind.NUMBER, 4, ValueKind.NUMBER),
    IF(ValueKind.ANY, 3, 3, ValueKind.CONDITION, ValueKind.ANY),
    INSTR(ValueKind.NUMBER, 2, ValueKind.TEXT),
    LENGTH(ValueKind.NUMBER, 1, ValueKind.TEXT),
    LOWER(ValueKind.TEXT, 1, ValueKind.TEXT),
    MAX(ValueKind.ANY, 1, Integer.MAX_VALUE, ValueKind.ANY),
    MIN(ValueKind.ANY, 1, Integer.MAX_VALUE, ValueKind.ANY),
    NULLIF(ValueKind.ANY, 2, ValueKind.ANY),
    REPLACE(ValueKind.TEXT, 3, ValueKind.TEXT),
    ROUND(ValueKind.NUMBER, 1, 2, ValueKind.NUMBER),
    STRFTIME(ValueKind.TEXT, 2, 2, ValueKind.TEXT, ValueKind.NUMBER),
    SUBSTR(ValueKind.TEXT, 2, 3, ValueKind.TEXT, ValueKind.NUMBER),
    TRIM(ValueKind.TEXT, 1, ValueKind.TEXT),
    UNIX_TIMESTAMP(ValueKind.NUMBER, 0, 1, ValueKind.TEXT),
    UPPER(ValueKind.TEXT, 1, ValueKind.TEXT);

    private static final Map<String, FilterFunction> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toMap(Enum::name, Function.identity()));

    private final ValueKind result;
    private final int argumentCountMin;
    private final int argumentCountMax;
    private final ValueKind firstArgument;
    private final ValueKind otherArguments;

    FilterFunction(final ValueKind result, final int argumentCount, final ValueKind arguments) {
        this(result, argumentCount, argumentCount, arguments);
    }

    FilterFunction(
            final ValueKind result, final int argumentCountMin, final int argumentCountMax, final ValueKind arguments) {
        this(result, argumentCountMin, argumentCountMax, arguments, arguments);
    }

    FilterFunction(
            final ValueKind result,
            final int argumentCountMin,
            final int argumentCountMax,
            final ValueKind firstArgument,
            final ValueKind otherArguments) {
        this.result = result;
        this.argumentCountMin = argumentCountMin;
        this.argumentCountMax = argumentCountMax;
        this.firstArgument = firstArgument;
        this.otherArguments = otherArguments;
    }

    /** Finds a function by its name in any case. */
    static @Nullable FilterFunction named(final String name) {
        return BY_NAME.get(name.toUpperCase(Locale.ROOT));
    }

    static String names() {
        return Arrays.stream(values()).map(Enum::name).collect(Collectors.joining(", "));
    }

    ValueKind result() {
        return result;
    }

    int argumentCountMin() {
        return argumentCountMin;
    }

    int argumentCountMax() {
        return argumentCountMax;
    }

    /** Returns whether the function chooses among its arguments, so that one that is NULL need not make the result NULL. */
    public boolean isChoice() {
        return this == COALESCE || this == IF || this == NULLIF;
    }

    /** The kind that an argument must have. */
    public ValueKind argument(final int index) {
        return index == 0 ? firstArgument : otherArguments;
    }

    /** How many arguments, for an error message. */
    String argumentCountText() {
        if (argumentCountMin == argumentCountMax) {
            return String.valueOf(argumentCountMin);
        }
        return argumentCountMin + (argumentCountMax == Integer.MAX_VALUE ? " or more" : " or " + argumentCountMax);
    }
}
