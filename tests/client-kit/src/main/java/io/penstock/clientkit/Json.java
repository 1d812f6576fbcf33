package io.penstock.clientkit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as maps, lists, texts, longs, booleans and null. */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    @SuppressWarnings("unchecked")
    static Map<String, @Nullable Object> read(final String line) throws IOException {
        try (JsonParser parser = FACTORY.createParser(line)) {
            parser.nextToken();
            final Object value = read(parser);
            if (value instanceof Map) {
                return (Map<String, @Nullable Object>) value;
            }
            throw new IOException("action: not an object: " + line);
        }
    }

    private static @Nullable Object read(final JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                final Map<String, @Nullable Object> members = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    final String name = parser.currentName();
                    parser.nextToken();
                    members.put(name, read(parser));
                }
                yield members;
            }
            case START_ARRAY -> {
                final List<@Nullable Object> elements = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(read(parser));
                }
                yield elements;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IOException("action: not a value: " + parser.getText());
        };
    }

    static String write(final Map<String, ? extends @Nullable Object> members) {
        final StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            write(generator, members);
        } catch (final IOException e) {
            throw new IllegalStateException(e);
        }
        return text.toString();
    }

    private static void write(final JsonGenerator generator, final @Nullable Object value) throws IOException {
        if (value instanceof Map<?, ?> members) {
            generator.writeStartObject();
            for (final Map.Entry<?, ?> member : members.entrySet()) {
                generator.writeFieldName(String.valueOf(member.getKey()));
                write(generator, member.getValue());
            }
            generator.writeEndObject();
        } else if (value instanceof Iterable<?> elements) {
            generator.writeStartArray();
            for (final Object element : elements) {
                write(generator, element);
            }
            generator.writeEndArray();
        } else if (value instanceof Boolean bool) {
            generator.writeBoolean(bool);
        } else if (value instanceof Number number) {
            generator.writeNumber(number.longValue());
        } else if (value == null) {
            generator.writeNull();
        } else {
            generator.writeString(value.toString());
        }
    }
}
