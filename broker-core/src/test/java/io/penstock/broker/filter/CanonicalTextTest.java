package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.syntax.FilterLimits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalTextTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            a=1                                    ~ a = 1
            1 = a                                  ~ a = 1
            100 < a                                ~ a > 100
            1 <= a                                 ~ a >= 1
            a != 1                                 ~ a <> 1
            0xFF=a                                 ~ a = 255
            a = 1.5e3                              ~ a = 1500.0
            a = 0x8000_0000_0000_0000              ~ a = -9223372036854775808
            a = 9223372036854775808                ~ a = 9.223372036854776E18
            a = (1-17)                             ~ a = -16
            a = 1 / 0                              ~ a = 1 / 0
            a = +5                                 ~ a = 5
            a = - 5                                ~ a = -5
            a - -5 = 1                             ~ a - -5 = 1
            -(-a) = 1                              ~ --a = 1
            (a and (b and c)) and d                ~ a AND b AND c AND d
            (a or b) and c                         ~ (a OR b) AND c
            a or (b and c)                         ~ a OR b AND c
            not (a and b)                          ~ NOT (a AND b)
            not (a = 1)                            ~ NOT a = 1
            not not a                              ~ NOT NOT a
            not (a in (1))                         ~ a NOT IN (1)
            not a like 'x'                         ~ a NOT LIKE 'x'
            not (a is null)                        ~ a IS NOT NULL
            a is not true                          ~ a IS NOT TRUE
            (a = 1) is null                        ~ (a = 1) IS NULL
            a = 1 is null                          ~ (a = 1) IS NULL
            ((a is null) is not true) is null      ~ a IS NULL IS NOT TRUE IS NULL
            (a = 1) = (b = 2)                      ~ (a = 1) = (b = 2)
            a in (3, 1, 2, 1, 'b', 'a', b)         ~ a IN (1, 2, 3, 'a', 'b', b)
            a begins with 'x'                      ~ a BEGINS WITH ('x')
            a ends with ('y', 'x')                 ~ a ENDS WITH ('x', 'y')
            a not contains 'x'                     ~ a NOT CONTAINS ('x')
            a like_regex 'x'                       ~ a LIKE_REGEX 'x'
            a like 'it''s!%' escape '!'            ~ a LIKE 'it''s!%' ESCAPE '!'
            a not between 1 and 2 + 3              ~ a NOT BETWEEN 1 AND 5
            (a + b) * c - d / (e % f) = 1          ~ (a + b) * c - d / (e % f) = 1
            a - (b - c) = 1                        ~ a - (b - c) = 1
            a || b + c = 'x'                       ~ a || b + c = 'x'
            a = 1 and 1 = a                        ~ a = 1 AND a = 1
            /a = 1                                 ~ a = 1
            "a" = 1                                ~ a = 1
            [/a] = 1                               ~ a = 1
            /in = 1                                ~ /in = 1
            "in" = 1                               ~ /in = 1
            /55 = 'IBM'                            ~ /55 = 'IBM'
            "55" = 'IBM'                           ~ /55 = 'IBM'
            /a/b[2]/@c = 1                         ~ /a/b[2]/@c = 1
            a[0] = 1                               ~ a[0] = 1
            "a.test" = 1                           ~ "a.test" = 1
            [/Not A Name] = 1                      ~ "Not A Name" = 1
            [/a/Not A Name[1]] = 1                 ~ /a/"Not A Name"[1] = 1
            "say ""hi""\" = 1                       ~ "say ""hi""\" = 1
            upper(a) = 'X'                         ~ UPPER(a) = 'X'
            if(a, 1, 2) = coalesce(b, 3)           ~ IF(a, 1, 2) = COALESCE(b, 3)
            true                                   ~ TRUE
            """)
    void shouldWriteOneFormWhenTextsMeanTheSame(final String text, final String canonical) {
        assertThat(Filters.compile(text).text()).isEqualTo(canonical);
        assertThat(Filters.compile(canonical).text()).as("again").isEqualTo(canonical);
        assertThat(FilterCompiler.canonicalText(text, FilterLimits.DEFAULTS)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @CsvSource({"''", "' '", "'\t\n'"})
    void shouldMatchEverythingWhenBlank(final String text) {
        assertThat(Filters.compile(text).text()).isEqualTo("TRUE");
        assertThat(Filters.matches(text, "{}")).isTrue();
    }
}
