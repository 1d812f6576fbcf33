package io.penstock.broker.filter.value;

import io.penstock.broker.filter.regex.RegexException;
import io.penstock.broker.filter.regex.RegexMatcher;
import io.penstock.broker.filter.regex.RegexParser;
import io.penstock.broker.filter.regex.RegexProgram;
import org.jspecify.annotations.Nullable;

/** A regular expression that is looked for anywhere in a text, in time linear in the text's length. */
public final class RegexPattern implements ValueTest {
    private final RegexMatcher matcher;

    private RegexPattern(final RegexMatcher matcher) {
        this.matcher = matcher;
    }

    /** Compiles an expression that {@link #mistake} has found none in. */
    public static RegexPattern of(final String pattern) {
        try {
            return compile(pattern);
        } catch (final RegexException e) {
            throw new IllegalArgumentException("regular expression: " + e.getMessage() + ": " + pattern, e);
        }
    }

    /** Returns what is wrong with an expression, or null. */
    public static @Nullable String mistake(final String pattern) {
        try {
            compile(pattern);
            return null;
        } catch (final RegexException e) {
            return "not a regular expression: " + e.getMessage();
        }
    }

    private static RegexPattern compile(final String pattern) throws RegexException {
        return new RegexPattern(new RegexMatcher(RegexProgram.of(RegexParser.parse(pattern))));
    }

    @Override
    public int truth(final Register value) {
        if (value.isUnknown()) {
            return Truth.UNKNOWN;
        }
        return Truth.of(
                value.isText() && matcher.find(value.buffer(), value.offset(), value.offset() + value.length()));
    }
}
