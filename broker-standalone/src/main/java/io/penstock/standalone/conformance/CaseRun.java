package io.penstock.standalone.conformance;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.TypedProperties;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Runs one case: over typed values, and over the same values as a JSON message. */
final class CaseRun {
    private static final JsonFactory JSON = new JsonFactory();
    private static final MessageFormat FORMAT = MessageFormats.formatFor("json");

    private CaseRun() {}

    /** Returns what is wrong, or null. */
    static @Nullable String mistake(final ConformanceCase each) {
        final String mistake = mistake(each, each.expression(), each.expected());
        if (mistake != null || each.truth() == null) {
            return mistake;
        }
        // False and unknown differ only in what NOT makes of them.
        final Outcome negated = each.truth().equals("F") ? Outcome.MATCHES : Outcome.DOES_NOT_MATCH;
        return mistake(each, "NOT (" + each.expression() + ")", negated);
    }

    private static @Nullable String mistake(
            final ConformanceCase each, final String expression, final Outcome expected) {
        final FieldSet fields = new FieldSet();
        final Filter filter;
        try {
            filter = FilterCompiler.compile(expression, fields, FilterLimits.DEFAULTS);
        } catch (final FilterException e) {
            return Outcome.INVALID.meets(expected) ? null : "expected " + expected + ", got " + e.getMessage();
        }
        final Map<String, @Nullable Object> values = each.fields();
        if (values == null) {
            return Outcome.VALID.meets(expected) ? null : "expected " + expected + ", but it compiles: " + expression;
        }
        final TypedProperties properties = new TypedProperties(fields);
        properties.wrap(values);
        final Outcome ofProperties = outcome(filter, properties);
        final Outcome ofJson = outcome(filter, jsonReader(values, fields));
        if (!ofProperties.meets(expected)) {
            return "expected " + expected + ", got " + ofProperties + ": " + expression;
        }
        return ofJson.meets(expected) ? null : "expected " + expected + ", got " + ofJson + " of JSON: " + expression;
    }

    private static Outcome outcome(final Filter filter, final FieldReader message) {
        return filter.matches(message) ? Outcome.MATCHES : Outcome.DOES_NOT_MATCH;
    }

    private static FieldReader jsonReader(final Map<String, @Nullable Object> values, final FieldSet fields) {
        final UnsafeBuffer message = new UnsafeBuffer(json(values));
        final String mistake = FORMAT.newValidator().validate(message, 0, message.capacity());
        if (mistake != null) {
            throw new IllegalStateException(mistake);
        }
        final FieldReader reader = FORMAT.newReader(fields);
        reader.wrap(message, 0, message.capacity());
        return reader;
    }

    private static byte[] json(final Map<String, @Nullable Object> values) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator generator = JSON.createGenerator(bytes)) {
            generator.writeStartObject();
            for (final Map.Entry<String, @Nullable Object> each : values.entrySet()) {
                generator.writeFieldName(each.getKey());
                write(generator, each.getValue());
            }
            generator.writeEndObject();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(final JsonGenerator generator, final @Nullable Object value) throws IOException {
        if (value instanceof Boolean truth) {
            generator.writeBoolean(truth);
        } else if (value instanceof Long number) {
            generator.writeNumber(number);
        } else if (value instanceof Double number) {
            generator.writeNumber(number);
        } else if (value instanceof String text) {
            generator.writeString(text);
        } else {
            generator.writeNull();
        }
    }
}
