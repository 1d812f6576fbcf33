package io.penstock.broker.security;

import io.penstock.broker.filter.TextPattern;
import org.jspecify.annotations.Nullable;

/**
 * Topics that a rule of permissions is about: one name, all that begin with a text ({@code orders.*}), or all that a
 * regular expression matches whole ({@code /orders\.[a-z]+/}). A {@code *} elsewhere is refused. Matching takes time
 * linear in the name. Immutable.
 */
final class TopicRange {
    /** All topics. */
    static final String ALL = "*";

    private static final int LENGTH_MAX = 1024;

    private final String text;
    private final @Nullable TextPattern expression;

    private TopicRange(final String text, final @Nullable TextPattern expression) {
        this.text = text;
        this.expression = expression;
    }

    /**
     * Reads a range.
     *
     * @throws IllegalArgumentException with what is wrong with it.
     */
    static TopicRange of(final String text) {
        if (text.isEmpty() || text.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "topics: of " + text.length() + " characters (use 1 to " + LENGTH_MAX + ")");
        }
        if (text.length() < 2 || text.charAt(0) != '/' || text.charAt(text.length() - 1) != '/') {
            final int star = text.indexOf('*');
            if (star >= 0 && star < text.length() - 1) {
                // Taken for what it is, a denial would be about nothing, without a word.
                throw new IllegalArgumentException("topics: a * before the end: " + text
                        + " (only the last character may be one; use a regular expression between slashes, here "
                        + expression(text) + ")");
            }
            return new TopicRange(text, null);
        }
        try {
            return new TopicRange(text, TextPattern.compile(text.substring(1, text.length() - 1)));
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "topics: " + e.getMessage() + ": " + text + " (use the syntax of LIKE_REGEX between slashes)", e);
        }
    }

    /** What was meant, most likely. */
    private static String expression(final String text) {
        return "/" + text.replaceAll("[\\\\.^$|?+()\\[\\]{}]", "\\\\$0").replaceAll("\\*+", ".*") + "/";
    }

    boolean isAll() {
        return text.equals(ALL);
    }

    boolean matches(final String topic) {
        if (expression != null) {
            return expression.matches(topic);
        }
        final int last = text.length() - 1;
        return text.charAt(last) == '*' ? topic.regionMatches(0, text, 0, last) : topic.equals(text);
    }

    @Override
    public boolean equals(final @Nullable Object other) {
        return other instanceof TopicRange range && text.equals(range.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
