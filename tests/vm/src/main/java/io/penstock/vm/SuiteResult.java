package io.penstock.vm;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * What a suite says about itself.
 *
 * @param passedCount   of its tests.
 * @param failedCount   of its tests.
 * @param skippedCount  of its tests.
 * @param bytesSent     by its transports, as they count.
 * @param packetsSent   by the device, as it counts.
 * @param ns            it took.
 * @param failures      names of its first tests that failed, each with what it said, in one line; empty when none did.
 */
public record SuiteResult(
        long passedCount,
        long failedCount,
        long skippedCount,
        long bytesSent,
        long packetsSent,
        long ns,
        String failures) {
    private static final String FILE = "result.properties";

    /** Whether there are tests among what ran. */
    boolean isEmpty() {
        return passedCount + failedCount == 0;
    }

    /** Packets that the bytes need, when each is as full as can be. */
    long packetsNeeded() {
        return (bytesSent + Guest.MTU - 1) / Guest.MTU;
    }

    /**
     * Leaves it where {@link #read} finds it.
     *
     * @param folder of the suite.
     * @throws IOException when it cannot be written.
     */
    public void write(final Path folder) throws IOException {
        final Properties values = new Properties();
        values.setProperty("passed", Long.toString(passedCount));
        values.setProperty("failed", Long.toString(failedCount));
        values.setProperty("skipped", Long.toString(skippedCount));
        values.setProperty("bytes", Long.toString(bytesSent));
        values.setProperty("packets", Long.toString(packetsSent));
        values.setProperty("ns", Long.toString(ns));
        values.setProperty("failures", failures);
        try (Writer out = Files.newBufferedWriter(folder.resolve(FILE), StandardCharsets.UTF_8)) {
            values.store(out, null);
        }
    }

    static SuiteResult read(final Path folder) throws IOException {
        final Properties values = new Properties();
        try (Reader in = Files.newBufferedReader(folder.resolve(FILE), StandardCharsets.UTF_8)) {
            values.load(in);
        }
        return new SuiteResult(
                value(values, "passed"),
                value(values, "failed"),
                value(values, "skipped"),
                value(values, "bytes"),
                value(values, "packets"),
                value(values, "ns"),
                text(values, "failures"));
    }

    private static long value(final Properties values, final String name) throws IOException {
        return Long.parseLong(text(values, name));
    }

    private static String text(final Properties values, final String name) throws IOException {
        final String text = values.getProperty(name);
        if (text == null) {
            throw new IOException(FILE + ": not there: " + name);
        }
        return text;
    }
}
