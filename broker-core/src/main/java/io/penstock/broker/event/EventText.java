package io.penstock.broker.event;

import java.util.Locale;
import java.util.Map;

/**
 * Values as they stand in a line. Text from a peer can neither end the line, nor move a terminal's cursor, nor look
 * like another key, nor take more than its share of the line.
 */
public final class EventText {
    /** Longest text in characters; longer ones are cut. */
    public static final int LENGTH_MAX = 1024;

    private static final String CUT = "...";

    private EventText() {}

    /**
     * Appends pairs, each after a space, as {@code key=value} or {@code key="value with spaces"}.
     *
     * @param to     is appended to.
     * @param values by key.
     */
    public static void append(final StringBuilder to, final Map<String, Object> values) {
        values.forEach((key, value) -> {
            to.append(' ').append(key).append('=');
            final String text = String.valueOf(value);
            if (isPlain(text)) {
                to.append(text);
            } else {
                appendQuoted(to, text);
            }
        });
    }

    /**
     * Appends a text in quotation marks, with escapes as JSON has them.
     *
     * @param to   is appended to.
     * @param text of any length, with any characters.
     */
    public static void appendQuoted(final StringBuilder to, final String text) {
        appendQuoted(to, text, LENGTH_MAX);
    }

    /**
     * The same with a bound of its own.
     *
     * @param to        is appended to.
     * @param text      of any length, with any characters.
     * @param lengthMax of the text, in characters.
     */
    public static void appendQuoted(final StringBuilder to, final String text, final int lengthMax) {
        to.append('"');
        appendEscaped(to, text, lengthMax);
        to.append('"');
    }

    /**
     * Appends a text with escapes as JSON has them, so that it is no more than one line.
     *
     * @param to        is appended to.
     * @param text      of any length, with any characters.
     * @param lengthMax of the text, in characters.
     */
    public static void appendEscaped(final StringBuilder to, final String text, final int lengthMax) {
        final int length = Math.min(text.length(), lengthMax);
        for (int i = 0; i < length; ) {
            final int c = text.codePointAt(i);
            appendCharacter(to, c);
            i += Character.charCount(c);
        }
        to.append(length < text.length() ? CUT : "");
    }

    private static void appendCharacter(final StringBuilder to, final int c) {
        switch (c) {
            case '"', '\\' -> to.append('\\').append((char) c);
            case '\n' -> to.append("\\n");
            case '\r' -> to.append("\\r");
            case '\t' -> to.append("\\t");
            default -> {
                if (isSeen(c)) {
                    to.appendCodePoint(c);
                } else {
                    for (final char unit : Character.toChars(c)) {
                        to.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
                    }
                }
            }
        }
    }

    /** Whether it is what it looks like: no control, no line separator, nothing that turns what follows around. */
    private static boolean isSeen(final int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    private static boolean isPlain(final String text) {
        if (text.isEmpty() || text.length() > LENGTH_MAX) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            if (c <= ' ' || c > '~' || c == '"' || c == '\\' || c == '=') {
                return false;
            }
        }
        return true;
    }
}
