package io.penstock.broker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as maps and lists, read and written without the broker's help: texts without escapes, numbers as doubles, and
 * null.
 */
final class ModelJson {
    private static final int LENGTH_MAX = 100;

    private final String text;
    private int at;

    private ModelJson(final String text) {
        this.text = text;
    }

    static Map<String, @Nullable Object> parse(final String text) {
        final ModelJson json = new ModelJson(text);
        final Map<String, @Nullable Object> fields = json.object();
        if (json.at != text.length()) {
            throw new AssertionError("more than an object: " + text);
        }
        return fields;
    }

    static String write(final Map<String, @Nullable Object> fields) {
        final StringBuilder out = new StringBuilder();
        write(fields, out);
        return out.toString();
    }

    private static void write(final @Nullable Object value, final StringBuilder out) {
        if (value instanceof Map<?, ?> fields) {
            out.append('{');
            fields.forEach((name, each) -> {
                out.append(out.charAt(out.length() - 1) == '{' ? "" : ",");
                out.append('"').append(name).append("\":");
                write(each, out);
            });
            out.append('}');
        } else if (value instanceof List<?> items) {
            out.append('[');
            items.forEach(item -> {
                out.append(out.charAt(out.length() - 1) == '[' ? "" : ",");
                write(item, out);
            });
            out.append(']');
        } else if (value instanceof Double number && number == Math.rint(number)) {
            out.append(number.longValue());
        } else if (value instanceof String string) {
            out.append('"').append(string).append('"');
        } else {
            out.append(value);
        }
    }

    /** What a path names, such as {@code p} or {@code /o/x}; null when there is nothing. */
    static @Nullable Object at(final @Nullable Map<String, @Nullable Object> fields, final String path) {
        Object value = fields;
        for (final String name : names(path)) {
            value = value instanceof Map<?, ?> object ? object.get(name) : null;
        }
        return value;
    }

    /** The names that a path goes through. */
    static List<String> names(final String path) {
        return path.startsWith("/") ? List.of(path.substring(1).split("/", -1)) : List.of(path);
    }

    /** Puts a delta's fields in place of those of a message; objects are merged, everything else is replaced. */
    @SuppressWarnings("unchecked")
    static Map<String, @Nullable Object> merged(
            final Map<String, @Nullable Object> message, final Map<String, @Nullable Object> delta) {
        final Map<String, @Nullable Object> merged = new LinkedHashMap<>(message);
        delta.forEach((name, value) -> merged.put(
                name,
                value instanceof Map<?, ?> inner && message.get(name) instanceof Map<?, ?> old
                        ? merged((Map<String, @Nullable Object>) old, (Map<String, @Nullable Object>) inner)
                        : value));
        return merged;
    }

    /** The fields that are not null, down to the innermost: null and absent mean the same to those who read a record. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> present(final Map<String, @Nullable Object> fields) {
        final Map<String, Object> present = new LinkedHashMap<>();
        fields.forEach((name, value) -> {
            if (value instanceof Map<?, ?> inner) {
                present.put(name, present((Map<String, @Nullable Object>) inner));
            } else if (value != null) {
                present.put(name, value);
            }
        });
        return present;
    }

    private Map<String, @Nullable Object> object() {
        final Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        take('{');
        while (peek() != '}') {
            if (!fields.isEmpty()) {
                take(',');
            }
            final String name = string();
            take(':');
            if (fields.containsKey(name)) {
                throw new AssertionError("twice: " + name + " in " + text);
            }
            fields.put(name, value());
        }
        take('}');
        return fields;
    }

    private @Nullable Object value() {
        if (peek() == '"') {
            return string();
        }
        if (peek() == '{') {
            return object();
        }
        if (peek() == '[') {
            return array();
        }
        final int start = at;
        while (",]}".indexOf(peek()) < 0) {
            at++;
        }
        final String scalar = text.substring(start, at);
        return switch (scalar) {
            case "null" -> null;
            case "true", "false" -> Boolean.valueOf(scalar);
            default -> Double.valueOf(scalar);
        };
    }

    private List<@Nullable Object> array() {
        final List<@Nullable Object> items = new ArrayList<>();
        take('[');
        while (peek() != ']') {
            if (!items.isEmpty()) {
                take(',');
            }
            items.add(value());
        }
        take(']');
        return items;
    }

    private String string() {
        take('"');
        final int end = text.indexOf('"', at);
        final String string = text.substring(at, end);
        at = end + 1;
        // Padding is long and always the same.
        return string.length() > LENGTH_MAX ? "long " + string.length() : string;
    }

    private char peek() {
        return text.charAt(at);
    }

    private void take(final char expected) {
        if (text.charAt(at++) != expected) {
            throw new AssertionError("no " + expected + " at " + (at - 1) + ": " + text);
        }
    }
}
