package io.penstock.broker.filter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.filter.regex.RegexException;
import io.penstock.broker.filter.regex.RegexMatcher;
import io.penstock.broker.filter.regex.RegexParser;
import io.penstock.broker.filter.regex.RegexProgram;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A regular expression over whole texts, in the syntax of {@code LIKE_REGEX}, with a bound on what it may cost: its
 * program is limited when it is compiled, and a match takes time linear in the text. Immutable, safe on any thread;
 * allocates for each match, so it is for names and not for messages.
 */
public final class TextPattern {
    private final RegexProgram program;

    private TextPattern(final RegexProgram program) {
        this.program = program;
    }

    /**
     * Compiles an expression.
     *
     * @param text of the expression.
     * @return the pattern.
     * @throws IllegalArgumentException with what is wrong with the expression.
     */
    public static TextPattern compile(final String text) {
        try {
            // Parsed by itself first, so that none of its brackets can pair with those put around it.
            RegexProgram.of(RegexParser.parse(text));
            return new TextPattern(RegexProgram.of(RegexParser.parse("\\A(?:" + text + ")\\z")));
        } catch (final RegexException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Whether the expression matches a text from its start to its end.
     *
     * @param text to match.
     * @return true when it does.
     */
    public boolean matches(final String text) {
        final byte[] bytes = text.getBytes(UTF_8);
        return new RegexMatcher(program).find(new UnsafeBuffer(bytes), 0, bytes.length, Long.MAX_VALUE);
    }
}
