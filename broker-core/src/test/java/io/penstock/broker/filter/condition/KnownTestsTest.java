package io.penstock.broker.filter.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.filter.syntax.Parser;
import io.penstock.broker.filter.syntax.SourceText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that filters share are shared, and no more memory than some is kept for that. */
class KnownTestsTest {
    private static final int PLACE_COUNT = 8192;

    private static final FilterLimits LIMITS = new FilterLimits(1 << 20, 1 << 20, 1000, 1000, 1 << 20);

    private static String text(final int length) {
        return "'" + "x".repeat(length) + "'";
    }

    private static String numbers(final int count) {
        return IntStream.range(0, count)
                .mapToObj(Integer::toString)
                .reduce((a, b) -> a + ", " + b)
                .orElseThrow();
    }

    static Stream<String> shortOnes() {
        return Stream.of(
                "a",
                "a = 1",
                "a > 1.5",
                "a = TRUE",
                "a = " + text(64),
                "a BETWEEN 1 AND " + text(64),
                "a IN (" + numbers(8) + ")",
                "a LIKE '" + "x".repeat(63) + "%'",
                "a BEGINS WITH (" + text(64) + ", 'y')",
                "a IS NULL");
    }

    static Stream<String> longOnes() {
        return Stream.of(
                "a = " + text(65),
                "a BETWEEN " + text(65) + " AND 'y'",
                "a BETWEEN 'a' AND " + text(65),
                "a IN (" + numbers(9) + ")",
                "a IN (1, " + text(65) + ")",
                "a LIKE '" + "x".repeat(64) + "%'",
                "a LIKE_REGEX '^x'",
                "a CONTAINS ('y', " + text(65) + ")",
                "UPPER(a) = 'X'",
                "a + 1 = 2");
    }

    private static Condition.Test test(final String filter) {
        final Parser parser = new Parser(SourceText.of("filter", filter, LIMITS), LIMITS, false, false);
        return (Condition.Test) NormalForm.of(parser.parse());
    }

    @ParameterizedTest
    @MethodSource("shortOnes")
    void shouldFindOneThatWasThereBefore(final String filter) {
        final Condition.Test first = KnownTests.of(test(filter));

        assertThat(KnownTests.of(test(filter))).isSameAs(first);
    }

    @ParameterizedTest
    @MethodSource("longOnes")
    void shouldKeepNoLongOnes(final String filter) {
        final Condition.Test first = test(filter);

        assertThat(KnownTests.of(first)).isSameAs(first);
        assertThat(KnownTests.of(test(filter))).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void shouldKeepTestsApartThatCountOtherValues() {
        final Condition.Test isTrue = KnownTests.of(test("a = 1"));

        assertThat(KnownTests.of(test("NOT a = 1"))).isNotEqualTo(isTrue);
    }

    @Test
    void shouldKeepNoMoreThanItHasPlacesFor() {
        final int count = 4 * PLACE_COUNT;
        final List<Condition.Test> tests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tests.add(KnownTests.of(test("a = " + i)));
        }
        int knownCount = 0;
        for (int i = count - 1; i >= 0; i--) {
            knownCount += isSame(KnownTests.of(test("a = " + i)), tests.get(i)) ? 1 : 0;
        }
        // The last ones, and no older one whose place was taken.
        assertThat(knownCount).isBetween(PLACE_COUNT / 2, PLACE_COUNT);
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(final Condition.Test one, final Condition.Test other) {
        return one == other;
    }
}
