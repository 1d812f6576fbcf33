package io.penstock.broker.filter.syntax;

/**
 * The text being compiled; it words the refusals.
 *
 * @param subject what the text is, as refusals call it.
 * @param text    as it was given.
 */
public record SourceText(String subject, String text) {
    /** The text of a search condition. */
    public static final String FILTER = "filter";

    private static final int EXCERPT_LENGTH_MAX = 40;

    /** Takes a text that is no longer than its limit and has a form in UTF-8. */
    public static SourceText of(final String subject, final String text, final FilterLimits limits) {
        final SourceText source = new SourceText(subject, text);
        if (text.length() > limits.textLengthMax()) {
            throw new FilterException(
                    subject + ": longer than " + limits.textLengthMax() + " characters: " + text.length(), 1);
        }
        source.requireWellFormed();
        return source;
    }

    int length() {
        return text.length();
    }

    /** The character at an index, or 0 after the end. */
    char at(final int index) {
        return index < text.length() ? text.charAt(index) : 0;
    }

    /** Refuses half a surrogate pair, for which there is no UTF-8. */
    private void requireWellFormed() {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSurrogatePair(text.charAt(i), at(i + 1))) {
                    throw refused("half of a surrogate pair", i, i);
                }
                i++;
            }
        }
    }

    public FilterException expected(final String what, final int start, final int end) {
        return refused("expected " + what, start, end);
    }

    /** Refuses the text, quoting it up to the end of the piece at fault. */
    public FilterException refused(final String reason, final int start, final int end) {
        final int from = Math.max(0, Math.max(end, start) - EXCERPT_LENGTH_MAX);
        final String excerpt = text.substring(from, Math.min(text.length(), Math.max(end, start)));
        final String message = subject + ": " + reason + " at " + (start + 1) + ": " + (from > 0 ? "..." : "")
                + printable(excerpt.stripTrailing());
        return new FilterException(message, start + 1);
    }

    /** Error texts end up in logs and on terminals, which control characters of a peer must not reach. */
    private static String printable(final String excerpt) {
        final StringBuilder result = new StringBuilder(excerpt.length());
        excerpt.codePoints().forEach(point -> result.appendCodePoint(Character.isISOControl(point) ? ' ' : point));
        return result.toString();
    }
}
