package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts of formats without types, where what a field is compared with says how it is read. */
class UntypedTest {
    private static final Map<String, Object> MESSAGE = Map.of(
            "55",
            "IBM",
            "44",
            "100.50",
            "38",
            "200",
            "114",
            "Y",
            "flag",
            "false",
            "tiny",
            "-1e-3",
            "legs",
            List.of("10", "x", "30"),
            "long",
            "9223372036854775807",
            "longer",
            "9223372036854775808",
            "pad",
            "007");

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /55 = 'IBM' | T
            /55 = 5 | U
            /55 <> 5 | U
            /55 > 5 | U
            /44 = 100.5 | T
            /44 = '100.50' | T
            /44 = '100.5' | F
            /44 > 100 | T
            /38 BETWEEN 100 AND 300 | T
            /38 IN (1, 200) | T
            /38 IN ('200') | T
            /55 IN (1, 200) | U
            /55 IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10) | U
            /55 IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 'IBM') | T
            /55 IN ('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J') | F
            /38 IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 200.0) | T
            /38 + 1 = 201 | T
            /38 + /44 = 300.5 | T
            /38 + /55 = '200IBM' | T
            /38 * 2 = 400 | T
            -/38 = -200 | T
            /55 * 2 = 1 | U
            /38 > /44 | T
            tiny = -0.001 | T
            pad = 7 | T
            pad = '7' | F
            long = 9223372036854775807 | T
            longer = 9223372036854775808 | T
            long < longer | T
            /114 | T
            /114 = TRUE | T
            flag | F
            NOT flag | T
            flag IS FALSE | T
            /55 | U
            /55 = TRUE | U
            TRUE = /114 | T
            /114 IN (TRUE, 5) | T
            legs = 30 | T
            legs = 'x' | T
            legs = 31 | U
            ABS(legs) = 10 | T
            ROUND(/44) = 101 | T
            MAX(/38, 5) = 200 | T
            UPPER(/55) = 'IBM' | T
            /55 LIKE 'I%' | T
            /38 LIKE '2%' | T
            """)
    void shouldBeReadAsWhatItMeetsWhenUntyped(final String condition, final char truth) {
        assertThat(UntypedTexts.truth(condition, MESSAGE)).isEqualTo(truth);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "+5, 5",
        ".5, 0.5",
        "5., 5",
        "1e2, 100",
        "1E+2, 100",
        "1.5e-1, 0.15",
        "123456789012345678901234567890, 123456789012345678901234567890",
        "0.1234567890123456789, 0.1234567890123456789",
        "-9223372036854775808, -9223372036854775808",
        "0.1, 0.1",
        "3.14159, 3.14159"
    })
    void shouldReadNumbersWhenSpelledSo(final String spelling, final String literal) {
        assertThat(UntypedTexts.truth("a = " + literal, Map.of("a", spelling))).isEqualTo('T');
    }

    @ParameterizedTest
    @CsvSource({
        "''", "-", "+", ".", "-.", "e5", "1e", "1e+", "' 1'", "'1 '", "1x", "0x10", "1..2", "1e5.5", "NaN", "--1"
    })
    void shouldReadNoNumberWhenSpelledOtherwise(final String spelling) {
        assertThat(UntypedTexts.truth("a = 1 OR a <> 1", Map.of("a", spelling))).isEqualTo('U');
    }
}
