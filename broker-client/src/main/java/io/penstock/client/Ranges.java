package io.penstock.client;

import org.jspecify.annotations.Nullable;

/** Refuses values of settings that are out of their range. */
final class Ranges {
    private Ranges() {}

    static void check(final String key, final long value, final long min, final long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(key + ": out of range: " + value + " (use " + min + " to " + max + ")");
        }
    }

    static void checkPowerOfTwo(final String name, final int value) {
        if (Integer.bitCount(value) != 1) {
            throw new IllegalArgumentException(
                    name + ": not a power of two: " + value + " (use " + Integer.highestOneBit(value) + ")");
        }
    }

    /** A store is of a client with a name. */
    static void checkNamed(final @Nullable PublishStore store, final String name) {
        if (store != null && name.isEmpty()) {
            throw new IllegalArgumentException("client.name: is empty (name a client that has a publish store: the"
                    + " broker knows its messages by the name)");
        }
    }
}
