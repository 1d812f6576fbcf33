package io.penstock.broker.filter;

import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormat;
import io.penstock.format.json.JsonFormat;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** Short ways to compile a filter and to run it over a JSON message. */
final class Filters {
    private static final MessageFormat JSON = new JsonFormat();

    private Filters() {}

    static Filter compile(final String text) {
        return FilterCompiler.compile(text, new FieldSet(), FilterLimits.DEFAULTS);
    }

    static boolean matches(final String text, final String json) {
        final Filter filter = compile(text);
        return filter.matches(json(json, filter.fields()));
    }

    /** Returns what a filter alone cannot distinguish: T, F or U for true, false and unknown. */
    static char truth(final String text, final String json) {
        final boolean isTrue = matches(text, json);
        final boolean isFalse = matches("NOT (" + text + ")", json);
        if (isTrue && isFalse) {
            throw new AssertionError("both true and false: " + text);
        }
        return isTrue ? 'T' : isFalse ? 'F' : 'U';
    }

    static FieldReader json(final String json, final FieldSet fields) {
        final UnsafeBuffer message = new UnsafeBuffer(json.getBytes(StandardCharsets.UTF_8));
        final String mistake = JSON.newValidator().validate(message, 0, message.capacity());
        if (mistake != null) {
            throw new AssertionError(mistake + ": " + json);
        }
        final FieldReader reader = JSON.newReader(fields);
        reader.wrap(message, 0, message.capacity());
        return reader;
    }
}
