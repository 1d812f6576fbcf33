package io.penstock.bridge.config;

/** Checks of configured bounds. */
final class Limits {
    private Limits() {}

    static void check(final String key, final long value, final long min, final long max) {
        if (value < min) {
            throw new IllegalArgumentException(key + ": too small: " + value + " (use " + min + " to " + max + ")");
        }
        if (value > max) {
            throw new IllegalArgumentException(key + ": too large: " + value + " (use " + min + " to " + max + ")");
        }
    }
}
