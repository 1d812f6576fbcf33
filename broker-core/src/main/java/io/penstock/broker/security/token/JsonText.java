package io.penstock.broker.security.token;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON object: maps, lists, texts, numbers as {@code Double}, booleans, and null. A name that comes twice, or anything else that
 * two readers could understand differently, is refused. Confined to its caller.
 */
final class JsonText {
    private static final int DEPTH_MAX = 8;

    private final String text;
    private int at;

    private JsonText(final String text) {
        this.text = text;
    }

    static Map<String, @Nullable Object> object(final String text) throws TokenRefusal {
        final JsonText reader = new JsonText(text);
        reader.space();
        if (reader.at >= text.length() || text.charAt(reader.at) != '{') {
            throw wrong("no object");
        }
        final Map<String, @Nullable Object> object = reader.members(0);
        reader.space();
        if (reader.at != text.length()) {
            throw wrong("something behind the object");
        }
        return object;
    }

    private static TokenRefusal wrong(final String what) {
        return new TokenRefusal("JSON: " + what);
    }

    private @Nullable Object value(final int depth) throws TokenRefusal {
        space();
        if (depth > DEPTH_MAX) {
            throw wrong("deeper than " + DEPTH_MAX);
        }
        final char c = at < text.length() ? text.charAt(at) : 0;
        return switch (c) {
            case '{' -> members(depth);
            case '[' -> elements(depth);
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> members(final int depth) throws TokenRefusal {
        final Map<String, @Nullable Object> members = new LinkedHashMap<>();
        at++;
        space();
        if (takes('}')) {
            return members;
        }
        do {
            space();
            if (at >= text.length() || text.charAt(at) != '"') {
                throw wrong("no name");
            }
            final String name = string();
            space();
            if (!takes(':')) {
                throw wrong("no colon");
            }
            final Object value = value(depth + 1);
            if (members.containsKey(name)) {
                throw wrong("a name twice");
            }
            members.put(name, value);
            space();
        } while (takes(','));
        if (!takes('}')) {
            throw wrong("an object without an end");
        }
        return members;
    }

    private List<@Nullable Object> elements(final int depth) throws TokenRefusal {
        final List<@Nullable Object> elements = new ArrayList<>();
        at++;
        space();
        if (takes(']')) {
            return elements;
        }
        do {
            elements.add(value(depth + 1));
            space();
        } while (takes(','));
        if (!takes(']')) {
            throw wrong("a list without an end");
        }
        return elements;
    }

    private String string() throws TokenRefusal {
        final StringBuilder string = new StringBuilder();
        for (at++; at < text.length(); at++) {
            final char c = text.charAt(at);
            if (c == '"') {
                at++;
                return string.toString();
            }
            if (c < ' ') {
                throw wrong("a control character in a text");
            }
            string.append(c == '\\' ? escaped() : c);
        }
        throw wrong("a text without an end");
    }

    private char escaped() throws TokenRefusal {
        at++;
        final char c = at < text.length() ? text.charAt(at) : 0;
        final int simple = "\"\\/bfnrt".indexOf(c);
        if (simple >= 0) {
            return "\"\\/\b\f\n\r\t".charAt(simple);
        }
        if (c != 'u'
                || at + 4 >= text.length()
                || !text.substring(at + 1, at + 5).matches("[0-9a-fA-F]{4}")) {
            throw wrong("an escape that there is not");
        }
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
    }

    private <T> @Nullable T word(final String word, final @Nullable T value) throws TokenRefusal {
        if (!text.startsWith(word, at)) {
            throw wrong("a word that there is not");
        }
        at += word.length();
        return value;
    }

    private Double number() throws TokenRefusal {
        final int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        final String number = text.substring(start, at);
        if (!number.matches("-?(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?([eE][+-]?[0-9]{1,3})?")) {
            throw wrong("no value");
        }
        return Double.valueOf(number);
    }

    private boolean takes(final char c) {
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }
}
