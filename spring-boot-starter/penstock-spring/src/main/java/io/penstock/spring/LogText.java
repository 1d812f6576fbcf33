package io.penstock.spring;

import org.jspecify.annotations.Nullable;

/** Texts of publishers as they may stand in a line of a log: they begin no line, and hide nothing in it. */
public final class LogText {
    /** Longest text, in characters; what is longer is cut. */
    public static final int LENGTH_MAX = 512;

    private LogText() {}

    /**
     * A text of which anything may come from a publisher.
     *
     * @param text to be logged, or to be said in an exception.
     * @return the same with control and formatting characters, line breaks and halves of surrogate pairs as their codes,
     *     of at most {@link #LENGTH_MAX} characters.
     */
    public static String of(final String text) {
        final StringBuilder safe = new StringBuilder(Math.min(text.length(), LENGTH_MAX));
        int i = 0;
        while (i < text.length()) {
            final int next = text.codePointAt(i);
            final String shown = isPlain(next) ? Character.toString(next) : escaped(next);
            if (safe.length() + shown.length() >= LENGTH_MAX) {
                return safe.append('…').toString();
            }
            safe.append(shown);
            i += Character.charCount(next);
        }
        return safe.toString();
    }

    /**
     * What was thrown, in one line.
     *
     * @param thrown may say what a publisher has sent; null is said as such.
     * @return its class and message as {@link #of(String)} has them.
     */
    public static String of(final @Nullable Throwable thrown) {
        return of(String.valueOf(thrown));
    }

    private static boolean isPlain(final int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }

    private static String escaped(final int character) {
        final StringBuilder all = new StringBuilder(12);
        for (final char each : Character.toChars(character)) {
            all.append(String.format("\\u%04x", (int) each));
        }
        return all.toString();
    }
}
