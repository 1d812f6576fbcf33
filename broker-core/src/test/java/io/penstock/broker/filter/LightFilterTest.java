package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.program.Workspace;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters whose programs are laid out late, and that share what they have in common. */
class LightFilterTest {
    private static final List<String> CONDITIONS = List.of(
            "a = 1",
            "a <> 1",
            "a = 1.5",
            "a > 2",
            "a = 'x'",
            "a <> 'x'",
            "a = TRUE",
            "a BETWEEN 1 AND 2",
            "a BETWEEN 1 AND 'x'",
            "a BETWEEN 1.5 AND 9007199254740993",
            "a IN (1, 'x', TRUE)",
            "a NOT IN (1, 2)",
            "a LIKE 'x%'",
            "a NOT LIKE '%_y'",
            "a BEGINS WITH ('x', 'y')",
            "a IS NULL",
            "a IS NOT NULL",
            "a",
            "NOT a",
            "a = 1 AND b = 1",
            "a = 1 OR b = 1",
            "NOT (a = 1 AND b > 1)",
            "(a = 1 OR b IS NULL) AND (b = 2 OR a IN (1, 'x', TRUE)) IS NOT TRUE",
            "b = 1 AND a = 1 AND a > 0 AND b LIKE 'x%'",
            "(a = 1 AND b = 2) IS NOT FALSE");

    private static final List<String> VALUES = List.of(
            "1",
            "1.0",
            "1.5",
            "2",
            "-0.0",
            "9007199254740993",
            "1e300",
            "\"x\"",
            "\"xy\"",
            "\"\"",
            "true",
            "false",
            "null",
            "{}",
            "[]",
            "[1]",
            "[3,\"x\"]",
            "[null,{}]");

    private static Filter light(final String text) {
        return FilterCompiler.compile(text, FilterLimits.DEFAULTS);
    }

    @Test
    void shouldSayWhatOthersSayWhenTheyShareAWorkspace() {
        final Workspace workspace = new Workspace();
        final List<Filter> shared =
                CONDITIONS.stream().map(LightFilterTest::light).toList();
        shared.forEach(each -> each.join(workspace));
        final List<Filter> alone =
                CONDITIONS.stream().map(LightFilterTest::light).toList();
        final List<Filter> others = CONDITIONS.stream().map(Filters::compile).toList();
        for (final String a : VALUES) {
            for (final String b : VALUES) {
                final String message = "{\"a\":" + a + ",\"b\":" + b + "}";
                for (int i = 0; i < CONDITIONS.size(); i++) {
                    final String what = CONDITIONS.get(i) + " of " + message;
                    final boolean expected = matches(others.get(i), message);
                    assertThat(matches(shared.get(i), message)).as(what).isEqualTo(expected);
                    assertThat(matches(alone.get(i), message)).as(what).isEqualTo(expected);
                }
            }
        }
    }

    private static boolean matches(final Filter filter, final String message) {
        return filter.matches(Filters.json(message, filter.fields()));
    }

    @Test
    void shouldReadTheSlotsThatItIsTold() {
        final FieldSet fields = new FieldSet();
        final Filter filter = light("b = 1 AND a = 2");
        final int[] slots = new int[2];
        fields.slotOf(light("z = 1").ownFields().path(0));
        for (int slot = 1; slot >= 0; slot--) {
            slots[slot] = fields.slotOf(filter.ownFields().path(slot));
        }
        final FieldReader message = Filters.json("{\"a\":2,\"b\":1,\"z\":7}", fields);
        assertThat(filter.matches(message, slots)).isTrue();
        assertThat(filter.matches(message, new int[] {slots[1], slots[0]})).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = 1",
                "a > 'x'",
                "NOT (a = 1)",
                "a BETWEEN 1 AND 2",
                "a IN (1, 2)",
                "a",
                "a IS NULL",
                "a = 1 AND b = 2",
                "a = 1 OR b LIKE 'x%'",
                "a > 1 AND b IN ('B', 'S') AND c BEGINS WITH 'x'"
            })
    void shouldShowTheConditionOfItsText(final String text) {
        final Filter filter = light(text);
        final Filter other = Filters.compile(text);
        assertThat(filter).isInstanceOf(LightFilter.class);
        assertThat(other).isNotInstanceOf(LightFilter.class);
        assertThat(filter.condition()).isEqualTo(other.condition());
        assertThat(filter.text()).isEqualTo(other.text());
        assertThat(filter.ownFields().count()).isEqualTo(other.ownFields().count());
        assertThat(light(filter.text()).condition()).isEqualTo(filter.condition());
    }

    @Test
    void shouldShareFieldsAndTestsWhenFiltersHaveThemInCommon() {
        final Filter one = light("side IN ('B', 'S') AND qty > 5");
        final Filter other = light("side IN ('B', 'S') AND qty > 6");
        assertThat(one.ownFields()).isSameAs(other.ownFields());
        final Condition.All first = (Condition.All) one.condition();
        final Condition.All second = (Condition.All) other.condition();
        assertThat(first.operands().get(0)).isSameAs(second.operands().get(0));
        assertThat(first.operands().get(1)).isNotEqualTo(second.operands().get(1));
        assertThat(light("qty > 5").ownFields()).isSameAs(light("qty > 6").ownFields());
    }

    @Test
    void shouldBeCompiledAtOnceWhenThatTakesLong() {
        assertThat(light("a LIKE_REGEX 'x+'")).isNotInstanceOf(LightFilter.class);
        assertThat(light("a = b")).isNotInstanceOf(LightFilter.class);
        assertThat(light("a + 1 = 2")).isNotInstanceOf(LightFilter.class);
        assertThat(light("a IN (1, 2, 3, 4, 5, 6, 7, 8, 9)")).isNotInstanceOf(LightFilter.class);
    }
}
