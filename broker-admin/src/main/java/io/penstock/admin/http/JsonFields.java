package io.penstock.admin.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The fields of a request's body: one JSON object with texts, whole numbers and booleans. Immutable. */
public final class JsonFields {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(4).build())
            .build();

    private static final String BAD_BODY = "BAD_BODY";

    private final Map<String, Object> values;

    private JsonFields(final Map<String, Object> values) {
        this.values = values;
    }

    /**
     * Reads a body.
     *
     * @param body  of the request.
     * @param names that it may have.
     * @return its fields.
     * @throws ProblemException when it is no such object, or has another field.
     */
    public static JsonFields read(final byte[] body, final Set<String> names) {
        return read(body, names, BAD_BODY);
    }

    /**
     * Reads a body.
     *
     * @param body     of the request.
     * @param names    that it may have.
     * @param textCode of the problem when a text has no UTF-8.
     * @return its fields.
     * @throws ProblemException when it is no such object, or has another field.
     */
    public static JsonFields read(final byte[] body, final Set<String> names, final String textCode) {
        final Map<String, Object> values = new LinkedHashMap<>();
        try (JsonParser parser = FACTORY.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw bad("not a JSON object (send one)");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                final String name = parser.currentName();
                if (!names.contains(name)) {
                    throw bad("no such field: " + name + " (use "
                            + String.join(", ", names.stream().sorted().toList()) + ")");
                }
                switch (parser.nextToken()) {
                    case VALUE_STRING -> values.put(name, checked(name, parser.getText(), textCode));
                    case VALUE_NUMBER_INT -> values.put(name, parser.getLongValue());
                    case VALUE_TRUE -> values.put(name, true);
                    case VALUE_FALSE -> values.put(name, false);
                    case VALUE_NULL -> {
                        // As if it were left out.
                    }
                    default ->
                        throw bad(name + ": neither a text, nor a whole number, nor a boolean (send one of them)");
                }
            }
            if (parser.nextToken() != null) {
                throw bad("more than one JSON object (send one)");
            }
        } catch (final IOException e) {
            throw bad("not JSON: " + firstLine(e) + " (send one object in UTF-8)");
        }
        return new JsonFields(values);
    }

    /** A text; empty when it is left out. */
    public String text(final String name) {
        final Object value = values.get(name);
        if (value == null) {
            return "";
        }
        if (value instanceof String text) {
            return text;
        }
        throw bad(name + ": not a text (send it in quotes)");
    }

    /** A text that must not be left out. */
    public String required(final String name) {
        final String text = text(name);
        if (text.isEmpty()) {
            throw bad(name + ": missing (send it)");
        }
        return text;
    }

    /** A whole number within bounds. */
    public long number(final String name, final long byDefault, final long min, final long max) {
        final Object value = values.get(name);
        if (value == null) {
            return byDefault;
        }
        if (value instanceof Long number && number >= min && number <= max) {
            return number;
        }
        throw bad(name + ": out of range: " + value + " (use a whole number, " + min + " to " + max + ")");
    }

    /** Whether something is asked for; not unless it is said. */
    public boolean flag(final String name) {
        final Object value = values.get(name);
        if (value == null) {
            return false;
        }
        if (value instanceof Boolean is) {
            return is;
        }
        throw bad(name + ": neither true nor false: " + value + " (use one of them)");
    }

    /** For half of a surrogate pair there is no UTF-8: the broker would get another text. */
    private static String checked(final String name, final String text, final String code) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (i + 1 == text.length() || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
                    throw new ProblemException(
                            400,
                            code,
                            "body: " + name + ": half of a surrogate pair at " + i + " (send both, or neither)");
                }
                i++;
            }
        }
        return text;
    }

    private static ProblemException bad(final String detail) {
        return new ProblemException(400, BAD_BODY, "body: " + detail);
    }

    private static String firstLine(final IOException e) {
        final String text = String.valueOf(e.getMessage());
        return text.substring(0, text.indexOf('\n') < 0 ? text.length() : text.indexOf('\n'));
    }
}
