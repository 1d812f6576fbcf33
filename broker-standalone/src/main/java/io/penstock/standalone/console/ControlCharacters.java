package io.penstock.standalone.console;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes texts of others fit to be looked at: a terminal obeys control characters, which may move the cursor, hide what was
 * printed, or type in the place of who looks.
 */
public final class ControlCharacters {
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}&&[^\\t\\n]]");

    private ControlCharacters() {}

    /**
     * Escapes control characters, but tabs and line feeds.
     *
     * @param text of any kind.
     * @return {@code \x1b} for an escape, for example.
     */
    public static String escaped(final String text) {
        return escaped(text, "\\x%02x");
    }

    /**
     * Escapes a text for standard error, when that is a terminal.
     *
     * @param text with words of others in it.
     * @return the text itself where nobody looks.
     */
    public static String onErr(final String text) {
        return Terminal.isErrSeen() ? escaped(text) : text;
    }

    /**
     * Escapes a text for standard output, when that is a terminal.
     *
     * @param text with words of others in it.
     * @return the text itself where nobody looks.
     */
    public static String onOut(final String text) {
        return Terminal.isOutSeen() ? escaped(text) : text;
    }

    /**
     * Escapes control characters within JSON.
     *
     * @param json on one line.
     * @return the same value.
     */
    public static String escapedJson(final String json) {
        return escaped(json, "\\u%04x");
    }

    private static String escaped(final String text, final String form) {
        return CONTROL.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(
                        String.format(form, (int) found.group().charAt(0))));
    }
}
