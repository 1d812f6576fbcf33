package io.penstock.broker.filter;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** A regular expression that is looked for anywhere in a text, in linear time. */
final class RegexPattern implements ValueTest {
    private final Matcher matcher;

    RegexPattern(final String pattern) {
        matcher = Pattern.compile(pattern).matcher("");
    }

    /** What is wrong with a pattern, or null. */
    static @Nullable String mistake(final String pattern) {
        try {
            Pattern.compile(pattern);
            return null;
        } catch (final PatternSyntaxException e) {
            return "not a regular expression (" + e.getDescription() + ")";
        }
    }

    @Override
    public int truth(final Register value) {
        if (value.isUnknown()) {
            return Truth.UNKNOWN;
        }
        if (!value.isText()) {
            return Truth.FALSE;
        }
        final byte[] bytes = new byte[value.length()];
        value.buffer().getBytes(value.offset(), bytes);
        return Truth.of(matcher.reset(bytes).find());
    }
}
