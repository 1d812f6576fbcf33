package io.penstock.broker.topic;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * What a subscription asks for: one topic, or all whose whole name matches a regular expression. Matching takes time
 * linear in the name (RE2). Immutable.
 */
public final class TopicPattern {
    /** Longest pattern in characters. */
    public static final int LENGTH_MAX = 1024;

    private final String text;
    private final boolean literal;
    private final Pattern pattern;

    private TopicPattern(final String text, final boolean literal, final Pattern pattern) {
        this.text = text;
        this.literal = literal;
        this.pattern = pattern;
    }

    /**
     * One topic.
     *
     * @param name of the topic.
     * @return a pattern that only this name matches.
     */
    public static TopicPattern literal(final String name) {
        return new TopicPattern(name, true, Pattern.compile(Pattern.quote(name)));
    }

    /**
     * Compiles a regular expression.
     *
     * @param text of the expression, in RE2 syntax.
     * @return the pattern.
     * @throws IllegalArgumentException with what is wrong with it.
     */
    public static TopicPattern regex(final String text) {
        if (text.isEmpty() || text.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "topic pattern: of " + text.length() + " characters (use 1 to " + LENGTH_MAX + ")");
        }
        try {
            return new TopicPattern(text, false, Pattern.compile(text));
        } catch (final PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "topic pattern: " + e.getDescription() + ": " + text + " (use RE2 syntax)", e);
        }
    }

    public boolean isLiteral() {
        return literal;
    }

    public String text() {
        return text;
    }

    /**
     * Whether a topic is asked for.
     *
     * @param name of the topic.
     * @return true when it is.
     */
    public boolean matches(final String name) {
        return literal ? text.equals(name) : pattern.matches(name);
    }
}
