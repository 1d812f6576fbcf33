package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.CanonicalText;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.filter.value.Truth;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NormalFormTest {
    private static final FilterLimits LIMITS = new FilterLimits(1 << 20, 1 << 20, 1000, 1000, 1 << 20);

    private static Filter compile(final String text, final FieldSet fields) {
        return FilterCompiler.compile(text, fields, LIMITS);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a = 1 | a = 1
            1 < a | a > 1
            NOT a = 1 | a = 1 is false
            NOT NOT a = 1 | a = 1
            a = 1 AND (b = 2 AND c = 3) | all(a = 1, b = 2, c = 3)
            NOT (a = 1 OR b LIKE 'x%') | all(a = 1 is false, b LIKE 'x%' is false)
            NOT (a = 1 AND NOT b = 2) | any(a = 1 is false, b = 2)
            NOT (a = 1 OR b = 2) AND c = 3 | all(a = 1 is false, b = 2 is false, c = 3)
            (a = 1) IS TRUE | a = 1
            (a = 1) IS NOT TRUE | a = 1 is not true
            (a = 1 AND b = 2) IS NOT TRUE | any(a = 1 is not true, b = 2 is not true)
            (a = 1 OR b = 2) IS NOT FALSE | any(a = 1 is not false, b = 2 is not false)
            NOT ((NOT a = 1) IS NOT TRUE) | a = 1 is false
            a BETWEEN 1 AND 2 | a BETWEEN 1 AND 2
            a NOT IN (1, 2) | a IN (1, 2) is false
            a IS NOT NULL | a IS NULL is false
            a | a
            NOT a | a is false
            a = b | ?a = b
            a + 1 = 2 | ?a + 1 = 2
            a BETWEEN b AND 2 | ?a BETWEEN b AND 2
            UPPER(a) = 'X' | ?UPPER(a) = 'X'
            HEADER('desk') = 'x' | HEADER('desk') = 'x'
            TRUE | ?TRUE
            """)
    void shouldHaveNoNegationBetweenItsTests(final String text, final String form) {
        assertThat(compile(text, new FieldSet()).condition()).hasToString(form);
    }

    @Test
    void shouldHoldWhenTheFilterMatchesWhereConditionsAreRandom() {
        int heldCount = 0;
        for (int seed = 0; seed < Integer.getInteger("penstock.seeds", 40); seed++) {
            final RandomExpressions expressions = new RandomExpressions(seed);
            for (int i = 0; i < 30; i++) {
                final FieldSet fields = new FieldSet();
                final Filter filter = compile(expressions.condition(1 + i % 4).text(), fields);
                final TypedProperties message = new TypedProperties(fields);
                for (int j = 0; j < 8; j++) {
                    final Map<String, @Nullable Object> values = expressions.message();
                    message.wrap(values);
                    final boolean holds = holds(filter.condition(), fields, message);
                    assertThat(holds)
                            .as("seed %d: %s of %s", seed, filter.condition(), values)
                            .isEqualTo(filter.matches(message));
                    heldCount += holds ? 1 : 0;
                }
            }
        }
        assertThat(heldCount).isPositive();
    }

    /** In the plainest way: each test by two filters of its own, which say whether it is true and whether it is false. */
    private static boolean holds(final Condition condition, final FieldSet fields, final FieldReader message) {
        if (condition instanceof Condition.All all) {
            return all.operands().stream().allMatch(each -> holds(each, fields, message));
        }
        if (condition instanceof Condition.Any any) {
            return any.operands().stream().anyMatch(each -> holds(each, fields, message));
        }
        final Condition.Test test = (Condition.Test) condition;
        final String text = CanonicalText.of(test.predicate());
        final int truth = compile(text, fields).matches(message)
                ? Truth.TRUE
                : compile("NOT (" + text + ")", fields).matches(message) ? Truth.FALSE : Truth.UNKNOWN;
        return test.accepted().has(truth);
    }
}
