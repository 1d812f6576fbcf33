package io.penstock.broker.config;

import io.penstock.broker.config.ConfigValue.Scalar;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whole numbers, with a unit of bytes if one is given: {@code 65536}, {@code 64KiB}, {@code 32 MiB}. */
public final class WholeNumbers {
    private static final Pattern NUMBER = Pattern.compile("(-?[0-9]{1,18}) ?(KiB|MiB|GiB)?");

    private WholeNumbers() {}

    /**
     * Reads one.
     *
     * @param value as it was written.
     * @param path  of its key, for the error.
     * @return the number, in bytes if it had a unit.
     * @throws ConfigException when it is none, or too large.
     */
    public static long parse(final Scalar value, final String path) {
        final Matcher matcher = NUMBER.matcher(value.text().strip());
        if (!matcher.matches()) {
            throw new ConfigException(
                    value.origin(),
                    path + ": not a whole number: " + value.text() + " (use digits, then KiB, MiB or GiB if bytes)");
        }
        final long factor = factor(matcher.group(2));
        final long number = Long.parseLong(matcher.group(1));
        if (Math.multiplyHigh(number, factor) != (number * factor) >> 63) {
            throw new ConfigException(
                    value.origin(), path + ": too large: " + value.text() + " (use a smaller number)");
        }
        return number * factor;
    }

    private static long factor(final String unit) {
        if (unit == null) {
            return 1;
        }
        return switch (unit) {
            case "KiB" -> 1L << 10;
            case "MiB" -> 1L << 20;
            default -> 1L << 30;
        };
    }
}
