package io.penstock.broker;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Flat JSON objects as maps, read and written without the broker's help: texts, numbers as doubles, and null. */
final class ModelJson {
    private static final int LENGTH_MAX = 100;

    private final String text;
    private int at;

    private ModelJson(final String text) {
        this.text = text;
    }

    static Map<String, @Nullable Object> parse(final String text) {
        return new ModelJson(text).object();
    }

    static String write(final Map<String, @Nullable Object> fields) {
        final StringBuilder out = new StringBuilder("{");
        fields.forEach((name, value) -> {
            out.append(out.length() > 1 ? "," : "").append('"').append(name).append("\":");
            if (value instanceof Double number && number == Math.rint(number)) {
                out.append(number.longValue());
            } else if (value instanceof String string) {
                out.append('"').append(string).append('"');
            } else {
                out.append(value);
            }
        });
        return out.append('}').toString();
    }

    /** The fields that are not null: null and absent mean the same to those who read a record. */
    static Map<String, Object> present(final Map<String, @Nullable Object> fields) {
        final Map<String, Object> present = new LinkedHashMap<>();
        fields.forEach((name, value) -> {
            if (value != null) {
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
        if (at != text.length()) {
            throw new AssertionError("more than an object: " + text);
        }
        return fields;
    }

    private @Nullable Object value() {
        if (peek() == '"') {
            return string();
        }
        final int start = at;
        while (",}".indexOf(peek()) < 0) {
            at++;
        }
        final String scalar = text.substring(start, at);
        return Objects.equals(scalar, "null") ? null : Double.valueOf(scalar);
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
