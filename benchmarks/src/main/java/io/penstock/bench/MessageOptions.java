package io.penstock.bench;

import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for published messages and subscriptions. Owned by the command's thread. */
final class MessageOptions {
    private static final int PAYLOAD_LENGTH_MAX = 16 * 1024 * 1024;
    private static final int KEY_COUNT_MAX = 100_000_000;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            description = "Length of each message, opaque to the broker, 8 to 16777216 (default: 100).")
    private @Nullable Integer payloadLength;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "0",
            description = "JSON messages of N keys, to a topic that keeps the last of each (default: no state).")
    private int keyCount;

    @Option(names = "--input", paramLabel = "FILE", description = "Publish the lines of a file, over and over.")
    private @Nullable Path input;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "Of the lines of --input: json, read by the broker, or binary (default: binary).")
    private @Nullable String format;

    @Option(
            names = {"-f", "--filter"},
            paramLabel = "CONDITION",
            defaultValue = "",
            description = "Filter of each subscription, over the fields of --format json.")
    private String filter;

    /** Keys of the messages; 0 = there is no state. */
    int keyCount() {
        return keyCount;
    }

    /** The filter of each subscription; empty = everything. */
    String filter() {
        return filter;
    }

    /** Fails when the keys are out of range, or cannot go with the rest. */
    void checkKeys(final boolean isBesidePeer) {
        BenchCommand.check("--keys", keyCount, 0, KEY_COUNT_MAX);
        if (keyCount > 0 && (input != null || isBesidePeer)) {
            throw CommandFailure.badInput("--keys: go with neither --input nor --beside (leave those out)");
        }
    }

    /** The published messages. */
    Messages published() throws IOException {
        if (input == null) {
            if (format != null || !filter.isEmpty()) {
                throw CommandFailure.badInput((format != null ? "--format" : "--filter")
                        + ": the payload is opaque (give --input FILE with --format json)");
            }
            final int length = payloadLength == null ? 100 : payloadLength;
            if (keyCount > 0) {
                BenchCommand.check("--payload", length, Messages.keyedLengthMin(), PAYLOAD_LENGTH_MAX);
                return Messages.keyed(length, keyCount);
            }
            BenchCommand.check("--payload", length, Messages.OPAQUE_LENGTH_MIN, PAYLOAD_LENGTH_MAX);
            return Messages.opaque(length);
        }
        if (payloadLength != null) {
            throw CommandFailure.badInput("--payload: the messages are those of --input (leave one out)");
        }
        final String named = format == null ? Messages.OPAQUE_FORMAT : format;
        if (!named.equals(Messages.OPAQUE_FORMAT) && !named.equals(Messages.JSON_FORMAT)) {
            throw CommandFailure.badInput("--format: no such choice: " + named + " (use json or binary)");
        }
        if (!filter.isEmpty() && !named.equals(Messages.JSON_FORMAT)) {
            throw CommandFailure.badInput("--filter: the payload is opaque (give --format json)");
        }
        try {
            return Messages.lines(input.toString(), Files.readAllLines(input), named);
        } catch (final NoSuchFileException e) {
            throw CommandFailure.badInput("--input: no such file: " + input + " (give a file with a message a line)");
        }
    }

    /** Fails when the filter cannot be read, or leaves out what a round trip needs. */
    void checkFilter(final Messages messages, final boolean isRoundTrip) {
        try {
            final boolean[] matches = messages.matches(filter);
            if (isRoundTrip && !new Skips(matches).isEveryMatch()) {
                throw CommandFailure.badInput("--filter: does not match every message: " + filter
                        + " (a round trip needs a message that comes back)");
            }
        } catch (final FilterException e) {
            throw CommandFailure.badInput("--filter: " + e.getMessage());
        }
    }
}
