package io.penstock.system.permission;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message or a record: texts, whole numbers and booleans by the names of its fields.
 *
 * @param fields  that it has; one without a value is left out.
 * @param headers texts by name.
 */
record Sample(TreeMap<String, Object> fields, TreeMap<String, String> headers) {
    private static final JsonFactory JSON = new JsonFactory();

    int id() {
        return ((Long) Objects.requireNonNull(fields.get("id"))).intValue();
    }

    /** The record after a change of some of its fields, which has the headers of the change. */
    Sample changedBy(final Sample delta) {
        final TreeMap<String, Object> merged = new TreeMap<>(fields);
        merged.putAll(delta.fields);
        return new Sample(merged, delta.headers);
    }

    /** What has changed of it since, with the key; null when nothing has. */
    @Nullable
    Sample since(final Sample before) {
        if (fields.equals(before.fields)) {
            return null;
        }
        final TreeMap<String, Object> changed = new TreeMap<>(fields);
        changed.entrySet()
                .removeIf(each ->
                        !each.getKey().equals("id") && each.getValue().equals(before.fields.get(each.getKey())));
        return new Sample(changed, headers);
    }

    String json() {
        final StringBuilder text = new StringBuilder("{");
        for (final Map.Entry<String, Object> field : fields.entrySet()) {
            text.append(text.length() > 1 ? "," : "")
                    .append('"')
                    .append(field.getKey())
                    .append("\":")
                    .append(field.getValue() instanceof String value ? '"' + value + '"' : field.getValue());
        }
        return text.append('}').toString();
    }

    /** What of it is shown to one who does not see some fields. */
    Sample without(final Set<String> hidden) {
        final TreeMap<String, Object> shown = new TreeMap<>(fields);
        shown.keySet().removeAll(hidden);
        return new Sample(shown, headers);
    }

    /** How messages are compared: the order of fields and the place of spaces say nothing. */
    String canonical() {
        return fields.toString();
    }

    /** The same of a message that has come. */
    static String canonical(final String json) {
        return read(json).toString();
    }

    /** A text of an object that has it. */
    static String text(final Map<String, Object> fields, final String name) {
        return String.valueOf(Objects.requireNonNull(fields.get(name), name));
    }

    /** The fields of an object; of objects and lists in it the text alone counts. */
    static TreeMap<String, Object> read(final String json) {
        final TreeMap<String, Object> fields = new TreeMap<>();
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new AssertionError("not an object: " + json);
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                final String name = parser.currentName();
                final Object value = value(parser, parser.nextToken());
                if (value != null) {
                    fields.put(name, value);
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(json, e);
        }
        return fields;
    }

    private static @Nullable Object value(final JsonParser parser, final JsonToken token) throws IOException {
        return switch (token) {
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_STRING -> parser.getText();
            case START_OBJECT, START_ARRAY -> {
                parser.skipChildren();
                yield "…";
            }
            default -> null;
        };
    }
}
