package io.penstock.broker.filter.value;

import io.penstock.broker.filter.regex.RegexException;
import io.penstock.broker.filter.regex.RegexMatcher;
import io.penstock.broker.filter.regex.RegexParser;
import io.penstock.broker.filter.regex.RegexProgram;
import org.jspecify.annotations.Nullable;

/** A regular expression that is looked for anywhere in a text, in one pass; unknown when that takes too many steps. */
public final class RegexPattern implements ValueTest {
    private final RegexMatcher matcher;
    private final Work work;

    private RegexPattern(final RegexMatcher matcher, final Work work) {
        this.matcher = matcher;
        this.work = work;
    }

    /**
     * Compiles an expression that {@link #mistake} has found none in.
     *
     * @param pattern of the expression.
     * @param work    of the evaluations that it is a part of.
     */
    public static RegexPattern of(final String pattern, final Work work) {
        try {
            return new RegexPattern(compile(pattern), work);
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

    private static RegexMatcher compile(final String pattern) throws RegexException {
        return new RegexMatcher(RegexProgram.of(RegexParser.parse(pattern)));
    }

    @Override
    public int truth(final Register value) {
        if (value.isUnknown()) {
            return Truth.UNKNOWN;
        }
        if (!value.isText()) {
            return Truth.FALSE;
        }
        final boolean isFound = work.takeText(value)
                && matcher.find(value.buffer(), value.offset(), value.offset() + value.length(), work.left());
        return work.take(matcher.enteredCount()) ? Truth.of(isFound) : Truth.UNKNOWN;
    }
}
