package io.penstock.broker.topic;

import io.penstock.broker.filter.TextPattern;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The topics of a subscription: one topic, or all whose whole name matches a regular expression. Matching takes time
 * linear in the name. Immutable.
 */
public final class TopicPattern {
    /** Longest pattern in characters. */
    public static final int LENGTH_MAX = 1024;

    private static final int KNOWN_COUNT = 256;

    /** Some of the topics that were named last: many subscriptions are to few topics. What is in a place is replaced. */
    private static final AtomicReferenceArray<TopicPattern> KNOWN = new AtomicReferenceArray<>(KNOWN_COUNT);

    private final String text;
    private final @Nullable TextPattern pattern;

    private TopicPattern(final String text, final @Nullable TextPattern pattern) {
        this.text = text;
        this.pattern = pattern;
    }

    /**
     * One topic.
     *
     * @param name of the topic.
     * @return a pattern that only this name matches.
     */
    public static TopicPattern literal(final String name) {
        final int hash = name.hashCode();
        final int place = (hash ^ hash >>> 16) & KNOWN_COUNT - 1;
        final TopicPattern known = KNOWN.get(place);
        if (known != null && known.text.equals(name)) {
            return known;
        }
        final TopicPattern made = new TopicPattern(name, null);
        KNOWN.set(place, made);
        return made;
    }

    /**
     * Compiles a regular expression.
     *
     * @param text of the expression, in the syntax of {@code LIKE_REGEX}.
     * @return the pattern.
     * @throws IllegalArgumentException with what is wrong with it.
     */
    public static TopicPattern regex(final String text) {
        if (text.isEmpty() || text.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "topic pattern: of " + text.length() + " characters (use 1 to " + LENGTH_MAX + ")");
        }
        try {
            return new TopicPattern(text, TextPattern.compile(text));
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "topic pattern: " + e.getMessage() + ": " + text + " (use the syntax of LIKE_REGEX)", e);
        }
    }

    public boolean isLiteral() {
        return pattern == null;
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
        return pattern == null ? text.equals(name) : pattern.matches(name);
    }
}
