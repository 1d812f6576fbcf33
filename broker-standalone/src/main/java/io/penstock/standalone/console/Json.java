package io.penstock.standalone.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Writes one JSON object on one line. */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int DECIMALS = 3;

    private final StringWriter text = new StringWriter();
    private final JsonGenerator generator;

    public Json() {
        try {
            generator = FACTORY.createGenerator(text);
            generator.writeStartObject();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Adds a whole number.
     *
     * @param name  of the field.
     * @param value of the field.
     * @return this.
     */
    public Json field(final String name, final long value) {
        try {
            generator.writeNumberField(name, value);
            return this;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Adds a number with at most three decimals, or null when there is none.
     *
     * @param name  of the field.
     * @param value of the field; NaN for none.
     * @return this.
     */
    public Json field(final String name, final double value) {
        try {
            if (Double.isFinite(value)) {
                final BigDecimal rounded = BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_UP);
                generator.writeFieldName(name);
                generator.writeNumber(rounded.stripTrailingZeros().toPlainString());
            } else {
                generator.writeNullField(name);
            }
            return this;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Adds text.
     *
     * @param name  of the field.
     * @param value of the field.
     * @return this.
     */
    public Json field(final String name, final String value) {
        try {
            generator.writeStringField(name, value);
            return this;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Adds what is JSON already.
     *
     * @param name of the field.
     * @param json its value, on one line.
     * @return this.
     */
    public Json raw(final String name, final String json) {
        try {
            generator.writeFieldName(name);
            generator.writeRawValue(json);
            return this;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A JSON value on one line.
     *
     * @param text that may be one.
     * @return the value without spaces between its parts, or null when it is none.
     */
    public static @Nullable String compact(final String text) {
        final StringWriter compact = new StringWriter();
        try (JsonParser parser = FACTORY.createParser(text);
                JsonGenerator generator = FACTORY.createGenerator(compact)) {
            if (parser.nextToken() == null) {
                return null;
            }
            generator.copyCurrentStructureExact(parser);
            if (parser.nextToken() != null) {
                return null;
            }
        } catch (final IOException e) {
            return null;
        }
        return compact.toString();
    }

    /**
     * Renames the members of an object, not those of objects within it.
     *
     * @param object a JSON object.
     * @param names  gives each its new name.
     * @return the object with the same values.
     */
    public static String renamed(final String object, final UnaryOperator<String> names) {
        final StringWriter renamed = new StringWriter();
        try (JsonParser parser = FACTORY.createParser(object);
                JsonGenerator generator = FACTORY.createGenerator(renamed)) {
            parser.nextToken();
            generator.writeStartObject();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                generator.writeFieldName(names.apply(parser.currentName()));
                parser.nextToken();
                generator.copyCurrentStructureExact(parser);
            }
            generator.writeEndObject();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return renamed.toString();
    }

    /**
     * Adds an object, which is ended by this.
     *
     * @param name  of the field.
     * @param value of the field.
     * @return this.
     */
    public Json object(final String name, final Json value) {
        try {
            generator.writeFieldName(name);
            generator.writeRawValue(value.end());
            return this;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Ends the object.
     *
     * @return its text, on one line.
     */
    public String end() {
        try {
            generator.writeEndObject();
            generator.close();
            return text.toString();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
