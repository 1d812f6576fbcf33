package io.penstock.client;

/** Refuses values of settings that are out of their range. */
final class Ranges {
    private Ranges() {}

    static void check(final String key, final long value, final long min, final long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(key + ": out of range: " + value + " (use " + min + " to " + max + ")");
        }
    }
}
