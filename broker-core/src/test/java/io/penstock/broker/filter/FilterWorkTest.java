package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a filter does when its message would take too many steps: it is unknown, and soon. */
class FilterWorkTest {
    private static String arrays(final int count, final int length) {
        return IntStream.range(0, count)
                .mapToObj(array -> "\"a" + array + "\":"
                        + IntStream.range(0, length)
                                .mapToObj(i -> Integer.toString(array * length + i))
                                .collect(Collectors.joining(",", "[", "]")))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String text(final String value) {
        return "{\"t\":\"" + value + "\"}";
    }

    @Test
    void shouldCompareAllPairsWhenTheyAreFew() {
        assertThat(Filters.truth("a0 = a1", arrays(2, 200))).isEqualTo('F');
        assertThat(Filters.truth("a0 <> a1", arrays(2, 200))).isEqualTo('T');
    }

    @Test
    void shouldBeUnknownWhenTwoArraysHaveTooManyPairs() {
        assertThat(Filters.truth("a0 = a1", arrays(2, 300))).isEqualTo('U');
        assertThat(Filters.truth("a0 = a0", arrays(1, 300))).isEqualTo('T');
        assertThat(Filters.truth("a0 CONTAINS a1", arrays(2, 300))).isEqualTo('U');
    }

    @Test
    void shouldTellWhetherTheLastMessageTookTooMuch() {
        final Filter filter = Filters.compile("a0 = a1");
        for (final int length : new int[] {200, 300, 200}) {
            assertThat(filter.matches(Filters.json(arrays(2, length), filter.fields())))
                    .isFalse();
            assertThat(filter.hasGivenUp()).isEqualTo(length == 300);
        }
    }

    @Test
    void shouldTellWhetherTheLastMessageTookTooMuchWhenItIsOneTest() {
        for (final Filter filter :
                List.of(Filters.compile("a0 = -1"), FilterCompiler.compile("a0 = -1", FilterLimits.DEFAULTS))) {
            assertThat(filter.hasGivenUp()).isFalse();
            for (final int length : new int[] {10, 300_000, 10}) {
                assertThat(filter.matches(Filters.json(arrays(1, length), filter.fields())))
                        .isFalse();
                assertThat(filter.hasGivenUp()).isEqualTo(length == 300_000);
            }
        }
    }

    /** Each comparison alone is within the bound; all of them would take seconds. */
    @Test
    void shouldShareTheStepsWhenAFilterHasManyComparisons() {
        final String filter = IntStream.range(0, 300)
                .mapToObj(i -> "a" + i % 8 + " = a" + (i + 1) % 8)
                .collect(Collectors.joining(" OR "));
        assertThat(Filters.truth(filter, arrays(8, 200))).isEqualTo('U');
        assertThat(Filters.truth(filter, arrays(8, 10))).isEqualTo('F');
    }

    @Test
    void shouldEndWhenOneOfTwoArraysIsEmpty() {
        final String many = IntStream.range(0, 400_000).mapToObj(i -> "1").collect(Collectors.joining(",", "[", "]"));
        assertThat(Filters.truth("a = b", "{\"a\":" + many + ",\"b\":[]}")).isEqualTo('U');
        assertThat(Filters.truth("b = a", "{\"a\":" + many + ",\"b\":[]}")).isEqualTo('F');
    }

    @Test
    void shouldBeUnknownWhenAnArrayHasTooManyElements() {
        assertThat(Filters.truth("a0 = -1", arrays(1, 200_000))).isEqualTo('F');
        assertThat(Filters.truth("a0 = -1", arrays(1, 300_000))).isEqualTo('U');
        assertThat(Filters.truth("a0 = 5", arrays(1, 300_000))).isEqualTo('T');
    }

    @ParameterizedTest
    @ValueSource(strings = {"([ab]{1,2}){300}c", "[ab]*a[ab]{900}c"})
    void shouldBeUnknownWhenAnExpressionFollowsManyStatesOverALongText(final String regex) {
        final String condition = "t LIKE_REGEX '" + regex + "'";
        assertThat(Filters.truth(condition, text("ab".repeat(100_000)))).isEqualTo('U');
        assertThat(Filters.truth(condition, text("ab".repeat(20)))).isEqualTo('F');
        assertThat(Filters.truth("(" + condition + ") OR t = ''", text("ab".repeat(100_000))))
                .isEqualTo('U');
    }

    @Test
    void shouldFindAPlainExpressionWhenTheTextIsLong() {
        assertThat(Filters.truth("t LIKE_REGEX 'end$'", text("x".repeat(4_000_000) + "end")))
                .isEqualTo('T');
    }

    @Test
    void shouldBeUnknownWhenManyConditionsSearchALongText() {
        final String like = IntStream.range(0, 150)
                .mapToObj(i -> "t LIKE '%" + (char) ('b' + i % 20) + "_q" + i + "%'")
                .collect(Collectors.joining(" OR "));
        final String contains =
                IntStream.range(0, 150).mapToObj(i -> "t CONTAINS 'q" + i + "'").collect(Collectors.joining(" OR "));
        final String lengths =
                IntStream.range(0, 150).mapToObj(i -> "LENGTH(t) = " + i).collect(Collectors.joining(" OR "));
        final String longText = text("x".repeat(1_000_000));
        assertThat(Filters.truth(like, longText)).isEqualTo('U');
        assertThat(Filters.truth(contains, longText)).isEqualTo('U');
        assertThat(Filters.truth(lengths, longText)).isEqualTo('U');
        assertThat(Filters.truth(like, text("xyz"))).isEqualTo('F');
        assertThat(Filters.truth(contains, text("xyz"))).isEqualTo('F');
        assertThat(Filters.truth("t LIKE '%a%' OR t LIKE 'x%' AND LENGTH(t) = 1000000", longText))
                .isEqualTo('T');
    }

    /** A pattern with many signs costs more for each of the text. */
    @Test
    void shouldCountTheSignsWhenAPatternIsLong() {
        assertThat(Filters.truth("t LIKE '%" + "_".repeat(3000) + "b%'", text("x".repeat(400_000))))
                .isEqualTo('U');
        assertThat(Filters.truth("t LIKE '%" + "_".repeat(3000) + "b%'", text("x".repeat(10_000))))
                .isEqualTo('F');
    }

    @Test
    void shouldBeginAnewWithEachMessage() {
        final Filter filter = FilterCompiler.compile("a0 = a1", new FieldSet(), FilterLimits.DEFAULTS);
        assertThat(filter.matches(Filters.json(arrays(2, 300), filter.fields())))
                .isFalse();
        assertThat(filter.matches(Filters.json("{\"a0\":[1,2],\"a1\":[2]}", filter.fields())))
                .isTrue();
    }
}
