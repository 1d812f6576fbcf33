package io.penstock.format.json;

import io.penstock.format.FieldPath;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Writes an object of a few fields, wherever in it they are, with one way to write each value. */
final class JsonFieldsText {
    /** Elements before one that is written are null; there are no more of them than this. */
    private static final int INDEX_MAX = 64;

    private static final double LONG_LIMIT = 0x1p63;
    private static final int NUMBER_LENGTH_MAX = 64;
    private static final String NULL = "null";

    private final Map<String, Object> root = new LinkedHashMap<>();

    private JsonFieldsText() {}

    /** The object; null when a field has no value, or one that is no text, number, boolean or null. */
    static @Nullable String write(final FieldSet fields, final FieldReader values) {
        final JsonFieldsText text = new JsonFieldsText();
        for (int slot = 0; slot < fields.count(); slot++) {
            final String value = value(values, slot);
            if (value == null || !text.put(fields.path(slot), value)) {
                return null;
            }
        }
        final StringBuilder written = new StringBuilder();
        append(written, text.root);
        return written.toString();
    }

    private boolean put(final FieldPath path, final String value) {
        if (path.isHeader()) {
            root.put(path.toString(), value);
            return true;
        }
        Object at = root;
        for (int i = 0; i < path.steps().size(); i++) {
            final FieldPath.Step step = path.steps().get(i);
            final boolean isLast = i + 1 == path.steps().size();
            if (!(at instanceof Map)) {
                return false;
            }
            @SuppressWarnings("unchecked")
            final Map<String, Object> object = (Map<String, Object>) at;
            if (step.index() == FieldPath.Step.NO_INDEX) {
                at = isLast ? value : object.computeIfAbsent(step.name(), name -> new LinkedHashMap<String, Object>());
                object.putIfAbsent(step.name(), at);
            } else {
                at = element(object, step, isLast ? value : null);
            }
            if (at == null) {
                return false;
            }
        }
        return true;
    }

    /** The element of an array, which is a value, or an object when there is none; null when it is too far from the first. */
    private static @Nullable Object element(
            final Map<String, Object> object, final FieldPath.Step step, final @Nullable String value) {
        final Object known = object.computeIfAbsent(step.name(), name -> new ArrayList<Object>());
        if (step.index() > INDEX_MAX || !(known instanceof List)) {
            return null;
        }
        @SuppressWarnings("unchecked")
        final List<Object> array = (List<Object>) known;
        while (array.size() <= step.index()) {
            array.add(NULL);
        }
        final Object present = array.get(step.index());
        final Object made = present instanceof Map ? present : new LinkedHashMap<String, Object>();
        array.set(step.index(), value != null ? value : made);
        return array.get(step.index());
    }

    private static void append(final StringBuilder to, final Object value) {
        if (value instanceof Map<?, ?> object) {
            to.append('{');
            object.forEach((name, member) -> {
                to.append(to.charAt(to.length() - 1) == '{' ? "" : ",");
                quote(to, (String) name);
                append(to.append(':'), member);
            });
            to.append('}');
        } else if (value instanceof List<?> array) {
            to.append('[');
            for (int i = 0; i < array.size(); i++) {
                append(to.append(i == 0 ? "" : ","), array.get(i));
            }
            to.append(']');
        } else {
            to.append(value);
        }
    }

    private static @Nullable String value(final FieldReader values, final int slot) {
        return switch (values.type(slot)) {
            case NULL -> NULL;
            case BOOLEAN -> String.valueOf(values.booleanValue(slot));
            case LONG -> String.valueOf(values.longValue(slot));
            case DOUBLE -> number(values.doubleValue(slot));
            case STRING, UNTYPED -> {
                final StringBuilder quoted = new StringBuilder();
                quote(
                        quoted,
                        values.stringBuffer(slot)
                                .getStringWithoutLengthUtf8(values.stringOffset(slot), values.stringLength(slot)));
                yield quoted.toString();
            }
            case ABSENT, ARRAY, OBJECT -> null;
        };
    }

    /** The text as keys have it: an integer wherever it is one. */
    private static @Nullable String number(final double value) {
        if (value >= -LONG_LIMIT && value < LONG_LIMIT && value == (long) value) {
            return String.valueOf((long) value);
        }
        if (!Double.isFinite(value)) {
            return null;
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[NUMBER_LENGTH_MAX]);
        final MessageWriter writer = new JsonWriter();
        writer.wrap(buffer, 0, buffer.capacity());
        writer.putDouble("v", value);
        final String object = buffer.getStringWithoutLengthAscii(0, writer.end());
        return object.substring(object.indexOf(':') + 1, object.length() - 1);
    }

    private static void quote(final StringBuilder to, final String text) {
        to.append('"');
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (c < ' ') {
                to.append(String.format("\\u%04x", (int) c));
            } else {
                to.append(c);
            }
        }
        to.append('"');
    }
}
