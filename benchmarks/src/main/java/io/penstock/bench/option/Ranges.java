package io.penstock.bench.option;

import io.penstock.standalone.CommandFailure;

/** Checks the values of options. */
public final class Ranges {
    private Ranges() {}

    /**
     * Fails, as bad input, when a value is out of its range.
     *
     * @param option with its dashes.
     * @param value  that was given.
     * @param min    the least.
     * @param max    the most.
     */
    public static void check(final String option, final long value, final long min, final long max) {
        if (value < min || value > max) {
            throw outOfRange(option, String.valueOf(value), String.valueOf(min), String.valueOf(max));
        }
    }

    /**
     * The same of a number that need not be whole.
     *
     * @param option with its dashes.
     * @param value  that was given.
     * @param min    the least.
     * @param max    the most.
     */
    public static void check(final String option, final double value, final double min, final double max) {
        if (!(value >= min && value <= max)) {
            throw outOfRange(option, text(value), text(min), text(max));
        }
    }

    private static CommandFailure outOfRange(
            final String option, final String value, final String min, final String max) {
        return CommandFailure.badInput(option + ": out of range: " + value + " (use " + min + " to " + max + ")");
    }

    private static String text(final double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }
}
