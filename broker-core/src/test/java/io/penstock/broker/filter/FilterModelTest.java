package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.json.JsonFormat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Compiled filters against a naive evaluation of the same random conditions over the same random messages. The longer
 * form runs as many seeds as {@code -Dpenstock.seeds} says.
 */
class FilterModelTest {
    private static final int SEED_COUNT_DEFAULT = 100;
    private static final int CONDITIONS_PER_SEED = 40;
    private static final int MESSAGES_PER_CONDITION = 12;
    private static final int DEPTH = 4;
    private static final FilterLimits LIMITS = new FilterLimits(1 << 20, 1 << 20, 1000, 1000, 1 << 20);

    @Test
    void shouldAgreeWithTheModelWhenConditionsAreRandom() {
        final int seedCount = Integer.getInteger("penstock.seeds", SEED_COUNT_DEFAULT);
        int matchCount = 0;
        for (int seed = 0; seed < seedCount; seed++) {
            final RandomExpressions expressions = new RandomExpressions(seed);
            for (int i = 0; i < CONDITIONS_PER_SEED; i++) {
                matchCount += check(seed, expressions, expressions.condition(1 + i % DEPTH));
            }
        }
        assertThat(matchCount).as("matches").isGreaterThan(seedCount * CONDITIONS_PER_SEED);
    }

    private static int check(final int seed, final RandomExpressions expressions, final Model model) {
        final FieldSet fields = new FieldSet();
        final Filter filter = FilterCompiler.compile(model.text(), fields, LIMITS);
        final Filter negated = FilterCompiler.compile("NOT (" + model.text() + ")", fields, LIMITS);
        final Filter again = FilterCompiler.compile(filter.text(), fields, LIMITS);
        if (!again.text().equals(filter.text())) {
            throw new AssertionError("seed " + seed + ": " + filter.text() + " becomes " + again.text());
        }
        final TypedProperties properties = new TypedProperties(fields);
        final FieldReader jsonReader = new JsonFormat().newReader(fields);
        int matchCount = 0;
        for (int i = 0; i < MESSAGES_PER_CONDITION; i++) {
            final Map<String, @Nullable Object> message = expressions.message();
            final Boolean truth = model.condition(message);
            final String json = json(message);
            properties.wrap(message);
            final byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
            jsonReader.wrap(new UnsafeBuffer(bytes), 0, bytes.length);
            for (final FieldReader reader : List.of(properties, jsonReader)) {
                if (filter.matches(reader) != Boolean.TRUE.equals(truth)
                        || negated.matches(reader) != Boolean.FALSE.equals(truth)
                        || again.matches(reader) != Boolean.TRUE.equals(truth)) {
                    throw new AssertionError("seed " + seed + ", "
                            + reader.getClass().getSimpleName() + ": " + model.text() + " of " + json + " is " + truth);
                }
            }
            matchCount += Boolean.TRUE.equals(truth) ? 1 : 0;
        }
        return matchCount;
    }

    static String json(final @Nullable Object value) {
        if (value instanceof String text) {
            return '"' + text + '"';
        }
        if (value instanceof List<?> list) {
            return "["
                    + String.join(",", list.stream().map(FilterModelTest::json).toList()) + "]";
        }
        if (value instanceof Map<?, ?> map) {
            return "{"
                    + String.join(
                            ",",
                            map.entrySet().stream()
                                    .map(each -> json(each.getKey()) + ":" + json(each.getValue()))
                                    .toList())
                    + "}";
        }
        return String.valueOf(value);
    }
}
