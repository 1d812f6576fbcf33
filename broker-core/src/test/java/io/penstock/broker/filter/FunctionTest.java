package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FunctionTest {
    private static final String MESSAGE = """
            {"neg":-3,"least":-9223372036854775808,"real":-2.5,"text":"  Stra\\u00dfe \\u00c5 \\ud83d\\ude00 ",
             "word":"banana","flag":true,"list":["b","a"],"nothing":null,"obj":{}}
            """;

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ABS(neg) = 3 | T
            ABS(real) = 2.5 | T
            ABS(3) = 3 | T
            ABS(least) = 9223372036854775808 | T
            ABS(word) IS NULL | T
            FLOOR(real) = -3 | T
            CEIL(real) = -2 | T
            FLOOR(neg) = -3 | T
            FLOOR(1e300) = 1e300 | T
            CEIL(flag) IS NULL | T
            ROUND(2.5) = 3 | T
            ROUND(real) = -3 | T
            ROUND(0.49999999999999994) = 0 | T
            ROUND(9007199254740993) = 9007199254740993 | T
            ROUND(2.345, 1) = 2.3 | T
            ROUND(2.35, 1) = 2.4 | T
            ROUND(-2.35, 1) = -2.4 | T
            ROUND(1234.5, -2) = 1200 | T
            ROUND(1250, -2) = 1300 | T
            ROUND(-1250, -2) = -1300 | T
            ROUND(5, 2) = 5 | T
            ROUND(1e300, 10) = 1e300 | T
            ROUND(1.5, real) IS NULL | T
            ROUND(word) IS NULL | T
            ROUND(word, -1) IS NULL | T
            MIN(3, neg, 2.5) = -3 | T
            MAX(3, neg, 2.5) = 3 | T
            MAX('a', word) = 'banana' | T
            MIN(word) = 'banana' | T
            MIN(3, word) IS NULL | T
            MAX(3, nothing) IS NULL | T
            MAX(flag, FALSE) | T
            UPPER(word) = 'BANANA' | T
            UPPER(text) = '  STRAßE Å 😀 ' | T
            LOWER(text) = '  straße å 😀 ' | T
            LOWER(neg) IS NULL | T
            TRIM(text) = 'Straße Å 😀' | T
            TRIM('   ') = '' | T
            LENGTH(text) = 13 | T
            LENGTH('') = 0 | T
            LENGTH(neg) IS NULL | T
            SUBSTR(word, 2) = 'anana' | T
            SUBSTR(word, 2, 3) = 'ana' | T
            SUBSTR(word, -2) = 'na' | T
            SUBSTR(word, -3, 2) = 'an' | T
            SUBSTR(word, 0, 2) = 'ba' | T
            SUBSTR(word, 7) = '' | T
            SUBSTR(word, 2, -1) = '' | T
            SUBSTR(word, -99, 2) = 'ba' | T
            SUBSTR(word, 9223372036854775807) = '' | T
            SUBSTR(word, 1, 9223372036854775807) = 'banana' | T
            SUBSTR(text, -4, 2) = 'Å ' | T
            SUBSTR(text, -4, 3) = 'Å 😀' | T
            SUBSTR(word, 1.5) IS NULL | T
            INSTR(word, 'an') = 2 | T
            INSTR(word, 'nan') = 3 | T
            INSTR(word, 'x') = 0 | T
            INSTR(word, '') = 1 | T
            INSTR(text, '😀') = 12 | T
            INSTR(word, neg) IS NULL | T
            CONCAT(word, '-', 'x') = 'banana-x' | T
            CONCAT(word, neg) IS NULL | T
            CONCAT(word, nothing) IS NULL | T
            REPLACE(word, 'an', '') = 'ba' | T
            REPLACE(word, 'a', 'oo') = 'boonoonoo' | T
            REPLACE(word, '', 'x') = 'banana' | T
            REPLACE(word, 'nan', 'x') = 'baxa' | T
            REPLACE(REPLACE(word, 'b', 'c'), 'c', 'd') = 'danana' | T
            COALESCE(nothing, missing, 5) = 5 | T
            COALESCE(nothing, missing) IS NULL | T
            COALESCE(obj, 1) = 1 | U
            COALESCE(obj, 1) IS NULL | F
            COALESCE(nothing, obj, 1) IS NULL | F
            NULLIF(neg, -3) IS NULL | T
            NULLIF(neg, 3) = -3 | T
            NULLIF(nothing, 3) IS NULL | T
            NULLIF(neg, nothing) = -3 | T
            NULLIF(neg, 'x') = -3 | T
            IF(neg < 0, 'n', 'p') = 'n' | T
            IF(neg > 0, 'n', 'p') = 'p' | T
            IF(nothing > 0, 'n', 'p') = 'p' | T
            IF(flag, nothing, 1) IS NULL | T
            UPPER(list) = 'B' | T
            COALESCE(list, 'x') = 'b' | T
            IF(TRUE, list, 1) = 'a' | F
            LENGTH(UPPER(CONCAT(word, word))) = 12 | T
            GEO_DISTANCE(52.52, 13.405, 52.52, 13.405) = 0 | T
            GEO_DISTANCE(48.8566, 2.3522, 51.5074, -0.1278) BETWEEN 343000 AND 344500 | T
            GEO_DISTANCE(0, 0, 0, 180) BETWEEN 20015000 AND 20015200 | T
            GEO_DISTANCE(0, 179.5, 0, -179.5) < 112000 | T
            GEO_DISTANCE(word, 0, 0, 0) IS NULL | T
            UNIX_TIMESTAMP('1970-01-01') = 0 | T
            UNIX_TIMESTAMP('2024-02-29T23:59:59Z') = 1709251199 | T
            UNIX_TIMESTAMP('2024-02-29 23:59:59') = 1709251199 | T
            UNIX_TIMESTAMP('2024-02-29T23:59') = 1709251140 | T
            UNIX_TIMESTAMP('2024-02-29T23:59:59.25+01:00') = 1709247599.25 | T
            UNIX_TIMESTAMP('2024-02-29T23:59:59-00:30') = 1709252999 | T
            UNIX_TIMESTAMP('1969-12-31T23:59:59.5Z') = -0.5 | T
            UNIX_TIMESTAMP('0001-01-01') = -62135596800 | T
            UNIX_TIMESTAMP('2023-02-29') IS NULL | T
            UNIX_TIMESTAMP('2023-13-01') IS NULL | T
            UNIX_TIMESTAMP('2023-02') IS NULL | T
            UNIX_TIMESTAMP('2023-02-01T') IS NULL | T
            UNIX_TIMESTAMP('2023-02-01T24:00') IS NULL | T
            UNIX_TIMESTAMP('2023-02-01T10:00:00.') IS NULL | T
            UNIX_TIMESTAMP('2023-02-01T10:00:00+1') IS NULL | T
            UNIX_TIMESTAMP('2023-02-01T10:00:00Zx') IS NULL | T
            UNIX_TIMESTAMP('yesterday!') IS NULL | T
            UNIX_TIMESTAMP(neg) IS NULL | T
            STRFTIME('%Y-%m-%d %H:%M:%S', 1709251199) = '2024-02-29 23:59:59' | T
            STRFTIME('%FT%TZ', 1709251199.9) = '2024-02-29T23:59:59Z' | T
            STRFTIME('%a %A %b %B %j %u %w %y', 1709251199) = 'Thu Thursday Feb February 060 4 4 24' | T
            STRFTIME('%I %p %R %D %Z %z %% %s', 1709251199) = '11 PM 23:59 02/29/24 UTC +0000 % 1709251199' | T
            STRFTIME('%I %p', 0) = '12 AM' | T
            STRFTIME('%s', -1) = '-1' | T
            STRFTIME('%F', -1) = '1969-12-31' | T
            STRFTIME('ü%F', -62135596800) = 'ü0001-01-01' | T
            STRFTIME('%F', 253402300800) IS NULL | T
            STRFTIME('%Q', 0) IS NULL | T
            STRFTIME('%', 0) IS NULL | T
            STRFTIME(word, word) IS NULL | T
            """)
    void shouldComputeWhenCalled(final String condition, final char truth) {
        assertThat(Filters.truth(condition, MESSAGE)).isEqualTo(truth);
    }

    @Test
    void shouldAgreeWithTheHaversineOfTheLibraryWhenPlacesAreRandom() {
        final Random random = new Random(2);
        for (int i = 0; i < 2_000; i++) {
            final double[] place = {
                random.nextDouble() * 180 - 90, random.nextDouble() * 360 - 180,
                random.nextDouble() * 180 - 90, random.nextDouble() * 360 - 180
            };
            final double chord = squared(Math.sin(Math.toRadians(place[2] - place[0]) / 2))
                    + Math.cos(Math.toRadians(place[0]))
                            * Math.cos(Math.toRadians(place[2]))
                            * squared(Math.sin(Math.toRadians(place[3] - place[1]) / 2));
            final double metres = 2 * 6_371_008.8 * Math.asin(Math.sqrt(chord));
            final String distance = "GEO_DISTANCE(" + place[0] + "," + place[1] + "," + place[2] + "," + place[3] + ")";
            final String condition = distance + " BETWEEN " + (metres - 0.1) + " AND " + (metres + 0.1);
            assertThat(Filters.matches(condition, "{}")).as(condition).isTrue();
        }
    }

    private static double squared(final double value) {
        return value * value;
    }

    @Test
    void shouldReturnTheTimeOfTheClockWhenGivenOne() {
        final long[] timeMs = {1_500};
        final Filter filter = FilterCompiler.compile(
                "UNIX_TIMESTAMP() = 1.5", new FieldSet(), FilterLimits.DEFAULTS, () -> timeMs[0]);
        assertThat(filter.matches(Filters.json("{}", filter.fields()))).isTrue();
        timeMs[0] = 2_000;
        assertThat(filter.matches(Filters.json("{}", filter.fields()))).isFalse();
    }

    @Test
    void shouldBeNullWhenATextGrowsBeyondTheLimit() {
        final FilterLimits limits = new FilterLimits(100, 100, 100, 100, 8);
        final Filter fits = FilterCompiler.compile("CONCAT(a, a) = 'abcdabcd'", new FieldSet(), limits);
        final Filter tooLong = FilterCompiler.compile("CONCAT(a, a, 'x') IS NULL", new FieldSet(), limits);
        final Filter both = FilterCompiler.compile(
                "CONCAT(a, a, 'x') IS NULL AND CONCAT(a, a) = 'abcdabcd'", new FieldSet(), limits);
        assertThat(fits.matches(Filters.json("{\"a\":\"abcd\"}", fits.fields())))
                .isTrue();
        assertThat(tooLong.matches(Filters.json("{\"a\":\"abcd\"}", tooLong.fields())))
                .isTrue();
        assertThat(both.matches(Filters.json("{\"a\":\"abcd\"}", both.fields())))
                .isTrue();
    }
}
