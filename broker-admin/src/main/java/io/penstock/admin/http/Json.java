package io.penstock.admin.http;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Writes a JSON document. Not thread-safe. */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
    private final JsonGenerator generator;

    /** Starts an empty document. */
    public Json() {
        try {
            generator = FACTORY.createGenerator(out, JsonEncoding.UTF8);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A step of writing, which cannot fail in memory. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private Json step(final Step step) {
        try {
            step.run();
            return this;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins an object. */
    public Json begin() {
        return step(generator::writeStartObject);
    }

    /** Begins an object as a field. */
    public Json begin(final String name) {
        return step(() -> generator.writeObjectFieldStart(name));
    }

    /** Ends an object. */
    public Json end() {
        return step(generator::writeEndObject);
    }

    /** Begins an array as a field. */
    public Json beginArray(final String name) {
        return step(() -> generator.writeArrayFieldStart(name));
    }

    /** Ends an array. */
    public Json endArray() {
        return step(generator::writeEndArray);
    }

    /** An item of an array. */
    public Json item(final long value) {
        return step(() -> generator.writeNumber(value));
    }

    /** Adds a text; characters that are half of a pair are replaced. */
    public Json field(final String name, final String value) {
        return step(() -> generator.writeStringField(name, wellFormed(value)));
    }

    /** Adds a whole number. */
    public Json field(final String name, final long value) {
        return step(() -> generator.writeNumberField(name, value));
    }

    /** Adds a number; one that is none is left out. */
    public Json field(final String name, final double value) {
        return Double.isFinite(value) ? step(() -> generator.writeNumberField(name, value)) : this;
    }

    /** Adds a truth. */
    public Json field(final String name, final boolean value) {
        return step(() -> generator.writeBooleanField(name, value));
    }

    /** Adds texts. */
    public Json field(final String name, final List<String> values) {
        beginArray(name);
        for (final String value : values) {
            step(() -> generator.writeString(wellFormed(value)));
        }
        return endArray();
    }

    /** Adds a number to an array. */
    public Json element(final double value) {
        return step(() -> generator.writeNumber(value));
    }

    /** Adds a whole number to an array. */
    public Json element(final long value) {
        return step(() -> generator.writeNumber(value));
    }

    /** The document so far, in UTF-8. */
    public byte[] bytes() {
        step(generator::flush);
        return out.toByteArray();
    }

    private static String wellFormed(final String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                return repaired(value);
            }
        }
        return value;
    }

    private static String repaired(final String value) {
        final StringBuilder text = new StringBuilder(value.length());
        value.codePoints()
                .forEach(point -> text.appendCodePoint(
                        point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? '\uFFFD' : point));
        return text.toString();
    }
}
