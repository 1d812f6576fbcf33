package io.penstock.bench;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormats;
import io.penstock.standalone.CommandFailure;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages that are published, over and over, each marked with its number: in the first eight bytes of an opaque
 * payload, or as the first field of a JSON object, {@code {"_n":1000000000000001, ...}}, with as many digits always.
 */
final class Messages {
    static final String OPAQUE_FORMAT = "binary";
    static final String JSON_FORMAT = "json";
    static final int OPAQUE_LENGTH_MIN = Long.BYTES;

    private static final String FIELD = "{\"_n\":";
    private static final int DIGITS_OFFSET = FIELD.length();
    private static final int DIGITS_LENGTH = 16;
    private static final long FIRST_NUMBER = 1_000_000_000_000_000L;

    private static final String TEXT_FIELD = ",\"text\":\"";
    private static final String TEXT_END = "\"}";
    private static final String KEY_FIELD = ",\"id\":";
    private static final int KEY_OFFSET = DIGITS_OFFSET + DIGITS_LENGTH + KEY_FIELD.length();
    private static final long FIRST_KEY = 1_000_000_000L;
    private static final int KEY_DIGITS_LENGTH = 10;

    /** Spreads the keys, so that neighbours do not follow each other. */
    private static final long KEY_STEP = 7_919;

    private final String format;
    private final boolean isJson;

    /** How many keys the messages have in their field {@code id}; 0 for none. */
    private final int keyCount;

    private final UnsafeBuffer[] documents;
    private final int lengthMax;
    private final double lengthMean;

    private Messages(final String format, final UnsafeBuffer[] documents, final int keyCount) {
        this.format = format;
        this.keyCount = keyCount;
        isJson = format.equals(JSON_FORMAT);
        this.documents = documents;
        int max = 0;
        long sum = 0;
        for (final UnsafeBuffer document : documents) {
            max = Math.max(max, document.capacity());
            sum += document.capacity();
        }
        lengthMax = max;
        lengthMean = (double) sum / documents.length;
    }

    static Messages opaque(final int length) {
        return new Messages(OPAQUE_FORMAT, new UnsafeBuffer[] {new UnsafeBuffer(new byte[length])}, 0);
    }

    /** The shortest message with a key. */
    static int keyedLengthMin() {
        return KEY_OFFSET + KEY_DIGITS_LENGTH + TEXT_FIELD.length() + TEXT_END.length();
    }

    /** JSON objects of one length, with a key of so many in the field {@code id}. */
    static Messages keyed(final int length, final int keyCount) {
        final String start = FIELD + FIRST_NUMBER + KEY_FIELD + FIRST_KEY + TEXT_FIELD;
        final String document = start + "x".repeat(length - keyedLengthMin()) + TEXT_END;
        return new Messages(
                JSON_FORMAT,
                new UnsafeBuffer[] {new UnsafeBuffer(document.getBytes(StandardCharsets.UTF_8))},
                keyCount);
    }

    /**
     * Lines of a file.
     *
     * @param name   of the file, for errors.
     * @param lines  each a message; empty ones are left out.
     * @param format {@code json} or {@code binary}.
     * @return the messages, marked.
     */
    static Messages lines(final String name, final List<String> lines, final String format) {
        final List<String> documents =
                lines.stream().filter(line -> !line.isBlank()).toList();
        if (documents.isEmpty()) {
            throw CommandFailure.badInput(name + ": has no lines (give a file with a message a line)");
        }
        final UnsafeBuffer[] buffers = new UnsafeBuffer[documents.size()];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = format.equals(JSON_FORMAT)
                    ? json(name, i, documents.get(i).strip())
                    : new UnsafeBuffer(("\0".repeat(Long.BYTES) + documents.get(i)).getBytes(StandardCharsets.UTF_8));
        }
        return new Messages(format, buffers, 0);
    }

    private static UnsafeBuffer json(final String name, final int index, final String line) {
        if (!line.startsWith("{") || !line.endsWith("}")) {
            throw CommandFailure.badInput(
                    name + ": not a JSON object: line " + (index + 1) + " (give an object a line, or --format binary)");
        }
        final String rest = line.substring(1).strip();
        return new UnsafeBuffer(
                (FIELD + FIRST_NUMBER + (rest.equals("}") ? "" : ",") + rest).getBytes(StandardCharsets.UTF_8));
    }

    /** The field that is the key, or nothing. */
    String key() {
        return keyCount > 0 ? "id" : "";
    }

    /** How many different keys there are, all of them in so many messages that follow each other; 0 for none. */
    int keyCount() {
        return keyCount == 0 || keyCount % KEY_STEP != 0 ? keyCount : (int) (keyCount / KEY_STEP);
    }

    String format() {
        return format;
    }

    int lengthMax() {
        return lengthMax;
    }

    double lengthMean() {
        return lengthMean;
    }

    /** The message of this number, marked with it; the same buffer again after as many messages as there are documents. */
    UnsafeBuffer message(final long number) {
        final UnsafeBuffer document =
                documents.length == 1 ? documents[0] : documents[(int) (number % documents.length)];
        if (isJson) {
            document.putNaturalLongAscii(DIGITS_OFFSET, FIRST_NUMBER + number);
            if (keyCount > 0) {
                document.putNaturalLongAscii(KEY_OFFSET, FIRST_KEY + number * KEY_STEP % keyCount);
            }
        } else {
            document.putLong(0, number, ByteOrder.LITTLE_ENDIAN);
        }
        return document;
    }

    /** The number that a message was marked with. */
    long number(final DirectBuffer buffer, final int offset) {
        return isJson
                ? buffer.parseNaturalLongAscii(offset + DIGITS_OFFSET, DIGITS_LENGTH) - FIRST_NUMBER
                : buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Which of the documents match a filter, by the filter's own code.
     *
     * @param text of the filter; empty matches everything.
     * @return one entry for each document.
     */
    boolean[] matches(final String text) {
        final boolean[] matches = new boolean[documents.length];
        if (text.isEmpty()) {
            java.util.Arrays.fill(matches, true);
            return matches;
        }
        final FieldSet fields = new FieldSet();
        final Filter filter = FilterCompiler.compile(text, fields, FilterLimits.DEFAULTS);
        final FieldReader reader = MessageFormats.formatFor(format).newReader(fields);
        for (int i = 0; i < matches.length; i++) {
            final UnsafeBuffer document = message(i);
            reader.wrap(document, 0, document.capacity());
            matches[i] = filter.matches(reader);
        }
        return matches;
    }
}
