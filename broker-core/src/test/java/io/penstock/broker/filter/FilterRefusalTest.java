package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterRefusalTest {
    private static FilterException refusal(final String text, final FilterLimits limits) {
        return assertThatExceptionOfType(FilterException.class)
                .isThrownBy(() -> FilterCompiler.compile(text, new FieldSet(), limits))
                .actual();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            price > AND                   ~ expected a value at 9: price > AND
            price >                       ~ expected a value at 8: price >
            AND price                     ~ expected a value at 1: AND
            NOT                           ~ expected a value at 4: NOT
            = 1                           ~ expected a value at 1: =
            NULL = 0                      ~ expected a value (NULL stands only after IS or IS NOT) at 1: NULL
            a = NULL                      ~ expected a value (NULL stands only after IS or IS NOT) at 5: a = NULL
            BETWEEN = 0                   ~ expected a value at 1: BETWEEN
            a = 1 AMD b = 2               ~ expected an operator or the end at 7: a = 1 AMD
            a b                           ~ expected an operator or the end at 3: a b
            a 5                           ~ expected an operator or the end at 3: a 5
            a 'x'                         ~ expected an operator or the end at 3: a 'x'
            hello ^ world                 ~ not a sign of the language at 7: hello ^
            a = 1 && b = 2                ~ not a sign of the language at 7: a = 1 &
            a == 1                        ~ expected a value at 4: a ==
            (a = 1                        ~ expected ) at 7: (a = 1
            a = 1)                        ~ expected an operator or the end at 6: a = 1)
            3 + 5                         ~ expected a condition at 1: 3 + 5
            'a'                           ~ expected a condition at 1: 'a'
            a AND 3                       ~ expected a condition at 7: a AND 3
            a OR UPPER(b)                 ~ expected a condition at 6: a OR UPPER(b)
            NOT 3                         ~ expected a condition at 5: NOT 3
            'x' IS TRUE                   ~ expected a condition at 1: 'x' IS
            -(x OR y) = 1                 ~ expected a number at 2: -(x OR y)
            a + (b = 1) > 0               ~ expected a number at 5: a + (b = 1)
            a * 'x' = 1                   ~ expected a number at 5: a * 'x'
            1 || a = 'x'                  ~ expected a text at 1: 1 || a
            a = b = c                     ~ comparisons do not chain (use brackets) at 7: a = b =
            1 < a < 2                     ~ comparisons do not chain (use brackets) at 7: 1 < a <
            a BETWEEN 1 OR 2              ~ expected AND at 13: a BETWEEN 1 OR
            a NOT 234                     ~ expected BETWEEN, IN, LIKE, LIKE_REGEX, BEGINS WITH, ENDS WITH or CONTAINS at 7: a NOT 234
            a IN ()                       ~ expected a value at 7: a IN ()
            a IN 'x', 'y')                ~ expected ( at 6: a IN 'x'
            a IN ('x' 'y')                ~ expected ) at 11: a IN ('x' 'y'
            a IN ('x',)                   ~ expected a value at 11: a IN ('x',)
            a LIKE 234                    ~ expected a pattern in quotes at 8: a LIKE 234
            a LIKE b                      ~ expected a pattern in quotes at 8: a LIKE b
            a LIKE 'x' ESCAPE 'ab'        ~ expected one escape character at 19: a LIKE 'x' ESCAPE 'ab'
            a LIKE 'x' ESCAPE ''          ~ expected one escape character at 19: a LIKE 'x' ESCAPE ''
            a LIKE 'x!y' ESCAPE '!'       ~ the escape character stands only before %, _ or itself at 8: a LIKE 'x!y'
            a LIKE 'x!' ESCAPE '!'        ~ the escape character stands only before %, _ or itself at 8: a LIKE 'x!'
            a LIKE_REGEX '('              ~ not a regular expression: expected ) after 1 characters at 14: a LIKE_REGEX '('
            a BEGINS 'x'                  ~ expected WITH at 10: a BEGINS 'x'
            a CONTAINS 5                  ~ expected a text at 12: a CONTAINS 5
            a IS 5                        ~ expected NOT, NULL, TRUE or FALSE at 6: a IS 5
            a IS NOT 5                    ~ expected NULL, TRUE or FALSE at 10: a IS NOT 5
            a = 'x                        ~ expected the closing ' of a text at 7: a = 'x
            "a                            ~ expected the closing " of a name at 3: "a
            "" = 1                        ~ expected a field's name at 1: "
            / = 1                         ~ expected a field's name at 2: /
            /a/ = 1                       ~ expected a field's name at 4: /a/
            a.b = 1                       ~ a name has no dots (write /a/b for a field within a, or "a.b") at 2: a.
            a[x] = 1                      ~ expected an element's number and ] at 3: a[x
            a[99999999999] = 1            ~ too large for an element's number at 3: a[99999999999
            a[0][1] = 1                   ~ an array within an array has no elements to read at 5: a[0][
            [a] = 1                       ~ expected a path, as in [/Not A Name], at 2: [a
            [/a = 1                       ~ expected the closing ] of a path at 8: [/a = 1
            0xG = 1                       ~ expected digits of base 16 at 1: 0x
            0xP8 = 1                      ~ expected digits of base 16 at 1: 0x
            0x.P8 = 1                     ~ expected digits of base 16 at 1: 0x.
            089 = 1                       ~ expected digits of base 8 at 1: 089
            0b12 = 1                      ~ expected digits of base 2 at 1: 0b12
            0x1.8 = 1                     ~ expected an exponent, as in 0x1.8p0, at 6: 0x1.8
            1e = 1                        ~ expected digits of an exponent at 3: 1e
            1e999 = 1                     ~ a number out of range at 1: 1e999
            0x10000000000000000 = 1       ~ more than 64 bits at 1: 0x10000000000000000
            5abc = 1                      ~ a number runs into a name at 1: 5a
            ABS(1, 2) = 1                 ~ expected 1 arguments at 1: ABS(1, 2)
            COALESCE() = 1                ~ expected 1 or more arguments at 1: COALESCE()
            ROUND() = 1                   ~ expected 1 or 2 arguments at 1: ROUND()
            UPPER(5) = 1                  ~ expected a text at 7: UPPER(5
            IF('x', 1, 2) = 1             ~ expected a condition at 4: IF('x'
            UNIX_TIMESTAMP() > 1          ~ the current time is not known here at 1: UNIX_TIMESTAMP()
            """)
    void shouldSayWhereAndWhatWasExpectedWhenTextIsWrong(final String text, final String message) {
        assertThat(refusal(text, FilterLimits.DEFAULTS)).hasMessage("filter: " + message);
    }

    @Test
    void shouldNameTheFunctionsWhenOneIsUnknown() {
        assertThat(refusal("FOO(1) = 1", FilterLimits.DEFAULTS))
                .hasMessageContaining("ABS, CEIL, COALESCE")
                .hasMessageEndingWith("at 1: FOO");
    }

    @Test
    void shouldReportThePositionWhenAsked() {
        assertThat(refusal("price > AND", FilterLimits.DEFAULTS).position()).isEqualTo(9);
    }

    @Test
    void shouldQuoteOnlyTheEndWhenTextIsLong() {
        final String text = "a = 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' AND";
        assertThat(refusal(text, FilterLimits.DEFAULTS).getMessage())
                .isEqualTo("filter: expected a value at 60: ...xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' AND");
    }

    @Test
    void shouldPrintNoControlCharactersWhenTextHasThem() {
        assertThat(refusal("a = 1 \u001b[2J", FilterLimits.DEFAULTS).getMessage())
                .doesNotContain("\u001b");
    }

    @Test
    void shouldRefuseHalfOfASurrogatePairWhenInText() {
        assertThat(refusal("a = '\ud83d'", FilterLimits.DEFAULTS))
                .hasMessageStartingWith("filter: half of a surrogate pair at 6");
    }

    @Test
    void shouldAddNoFieldsWhenRefused() {
        final FieldSet fields = new FieldSet();
        assertThatExceptionOfType(FilterException.class)
                .isThrownBy(() -> FilterCompiler.compile("a = 1 AND b = 2 AND c >", fields, FilterLimits.DEFAULTS));
        assertThat(fields.count()).isZero();
    }

    @Test
    void shouldRefuseLongerTextWhenAtTheLimit() {
        final FilterLimits limits = new FilterLimits(8, 100, 100, 100, 100);
        assertThat(FilterCompiler.compile("a = 1234", new FieldSet(), limits).text())
                .isEqualTo("a = 1234");
        assertThat(refusal("a = 12345", limits)).hasMessage("filter: longer than 8 characters: 9");
    }

    @Test
    void shouldRefuseALongListByItsWordsAndSigns() {
        final String list = "a IN (1" + ",1".repeat(1_021);
        assertThat(FilterCompiler.compile(list + ")", new FieldSet(), FilterLimits.DEFAULTS)
                        .text())
                .isEqualTo("a IN (1)");
        assertThat(refusal(list + ",1)", FilterLimits.DEFAULTS))
                .hasMessageStartingWith("filter: more than 2048 words and signs");
    }

    @Test
    void shouldRefuseWhenOnlyTheCanonicalFormExceedsALimit() {
        final FilterLimits limits = new FilterLimits(8, 100, 100, 100, 100);
        assertThat(refusal("a=0xFFFF", limits)).hasMessage("filter: in its canonical form longer than 8 characters: 9");
    }

    @Test
    void shouldRefuseMoreTokensWhenAtTheLimit() {
        final FilterLimits limits = new FilterLimits(100, 4, 100, 100, 100);
        assertThat(FilterCompiler.compile("a = 1", new FieldSet(), limits).text())
                .isEqualTo("a = 1");
        assertThat(refusal("a = 1 + 1", limits)).hasMessageStartingWith("filter: more than 4 words and signs at 9");
    }

    @Test
    void shouldRefuseDeeperNestingWhenAtTheLimit() {
        final FilterLimits limits = new FilterLimits(100, 100, 4, 100, 100);
        assertThat(FilterCompiler.compile("(((a)))", new FieldSet(), limits).text())
                .isEqualTo("a");
        assertThat(refusal("((((a))))", limits)).hasMessageStartingWith("filter: nested deeper than 4 at 5");
        assertThat(refusal("NOT NOT NOT NOT a", limits)).hasMessageStartingWith("filter: nested deeper than 4");
        assertThat(refusal("----a = 1", limits)).hasMessageStartingWith("filter: nested deeper than 4");
        assertThat(refusal("a + b + c + d + e + f = 1", limits)).hasMessageStartingWith("filter: nested deeper than 4");
        assertThat(refusal("ABS(ABS(ABS(ABS(a)))) = 1", limits)).hasMessageStartingWith("filter: nested deeper than 4");
    }

    @Test
    void shouldRefuseLongerListsWhenAtTheLimit() {
        final FilterLimits limits = new FilterLimits(100, 100, 100, 3, 100);
        assertThat(FilterCompiler.compile("a IN (1, 2, 3)", new FieldSet(), limits)
                        .text())
                .isEqualTo("a IN (1, 2, 3)");
        assertThat(refusal("a IN (1, 2, 3, 4)", limits))
                .hasMessageStartingWith("filter: a list of more than 3 items at 16");
        assertThat(refusal("COALESCE(1, 2, 3, 4) = 1", limits))
                .hasMessageStartingWith("filter: a list of more than 3 items at 19");
    }

    @Test
    void shouldNotOverflowTheStackWhenTextNestsAsDeepAsItsLengthAllows() {
        final FilterLimits limits = FilterLimits.DEFAULTS;
        assertThat(refusal("(".repeat(4000), limits)).hasMessageContaining("nested deeper than 128");
        assertThat(refusal("NOT ".repeat(1000) + "a", limits)).hasMessageContaining("nested deeper than 128");
        assertThat(refusal("-".repeat(2000) + "1 = 1", limits)).hasMessageContaining("nested deeper than 128");
        assertThat(Filters.matches("a IS NULL" + " IS NULL".repeat(500), "{}")).isFalse();
        assertThat(Filters.matches("TRUE" + " AND TRUE".repeat(400), "{}")).isTrue();
    }

    @Test
    void shouldRefuseLimitsThatAreNotPositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FilterLimits(1, 1, 0, 1, 1))
                .withMessage("filter.depthMax: not positive: 0");
    }
}
