package io.penstock.transport.rdma;

import java.util.Properties;

/**
 * Settings of the transport, by system properties that begin with {@code penstock.rdma.}.
 *
 * @param verbs        name of the provider to use; {@code auto} for the first that works.
 * @param slotCount    pieces of 64 KiB that each direction of a connection has; 4 to 1024.
 * @param memoryLength the most bytes that this process registers with one device.
 * @param spinNs       how long an agent that had something to do looks for more before it sleeps, in nanoseconds.
 */
record RdmaConfig(String verbs, int slotCount, long memoryLength, long spinNs) {
    static final String AUTO = "auto";
    static final int SLOT_COUNT_DEFAULT = 16;
    static final long MEMORY_LENGTH_DEFAULT = 1024L * 1024 * 1024;
    static final long SPIN_NS_DEFAULT = 20_000;

    private static final String PREFIX = "penstock.rdma.";
    private static final int SLOT_COUNT_MIN = 4;
    private static final int SLOT_COUNT_MAX = 1024;

    RdmaConfig {
        if (slotCount < SLOT_COUNT_MIN || slotCount > SLOT_COUNT_MAX) {
            throw new IllegalArgumentException(PREFIX + "slots: out of range: " + slotCount + " (use " + SLOT_COUNT_MIN
                    + " to " + SLOT_COUNT_MAX + ")");
        }
        if (memoryLength <= 0) {
            throw new IllegalArgumentException(
                    PREFIX + "memory: too small: " + memoryLength + " (use for example " + MEMORY_LENGTH_DEFAULT + ")");
        }
        if (spinNs < 0) {
            throw new IllegalArgumentException(PREFIX + "spin: negative: " + spinNs + " (use 0 for none)");
        }
    }

    static RdmaConfig of(final Properties properties) {
        return new RdmaConfig(
                properties.getProperty(PREFIX + "verbs", AUTO),
                (int) number(properties, "slots", SLOT_COUNT_DEFAULT),
                number(properties, "memory", MEMORY_LENGTH_DEFAULT),
                number(properties, "spin", SPIN_NS_DEFAULT));
    }

    private static long number(final Properties properties, final String name, final long otherwise) {
        final String text = properties.getProperty(PREFIX + name);
        if (text == null) {
            return otherwise;
        }
        try {
            return Long.parseLong(text.strip());
        } catch (final NumberFormatException ex) {
            throw new IllegalArgumentException(
                    PREFIX + name + ": not a number: " + text + " (use for example " + otherwise + ")", ex);
        }
    }
}
