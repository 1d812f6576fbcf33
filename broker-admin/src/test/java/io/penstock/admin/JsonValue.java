package io.penstock.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A JSON document as Java's collections. */
final class JsonValue {
    private final Object value;

    private JsonValue(final Object value) {
        this.value = value;
    }

    static JsonValue parse(final String text) {
        try (JsonParser parser = new JsonFactory().createParser(text)) {
            parser.nextToken();
            final JsonValue document = new JsonValue(read(parser));
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("more than one document: " + text);
            }
            return document;
        } catch (final IOException e) {
            throw new UncheckedIOException(text, e);
        }
    }

    private static Object read(final JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                final Map<String, Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    final String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, read(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                final List<Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(read(parser));
                }
                yield array;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw new IllegalArgumentException("token: " + parser.currentToken());
        };
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> object() {
        return (Map<String, Object>) value;
    }

    boolean has(final String name) {
        return object().containsKey(name);
    }

    JsonValue at(final String name) {
        if (!has(name)) {
            throw new IllegalArgumentException("no field " + name + " in " + value);
        }
        return new JsonValue(Objects.requireNonNull(object().get(name)));
    }

    String text(final String name) {
        return (String) at(name).value;
    }

    long number(final String name) {
        return ((Number) at(name).value).longValue();
    }

    double decimal(final String name) {
        return ((Number) at(name).value).doubleValue();
    }

    boolean truth(final String name) {
        return (boolean) at(name).value;
    }

    List<JsonValue> items() {
        return at("items").list();
    }

    List<JsonValue> list() {
        return ((List<?>) value).stream().map(each -> new JsonValue(each)).toList();
    }

    JsonValue item(final String field, final String wanted) {
        return items().stream()
                .filter(each -> wanted.equals(each.at(field).value))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + field + " " + wanted));
    }

    @Override
    public String toString() {
        return String.valueOf(value);
    }
}
