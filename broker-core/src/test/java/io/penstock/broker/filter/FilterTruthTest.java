package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What conditions are worth over one order: T true, F false, U unknown. */
class FilterTruthTest {
    private static final String ORDER = """
            {"symbol":"IBM","side":"B","price":100.5,"qty":200,"big":9223372036854775807,"half":0.5,"zero":0,
             "live":true,"dead":false,"gone":null,"empty":"","quote":"it's","text":"100%_\\u00fcber \\ud83d\\ude00",
             "order":{"price":7,"@id":"x1","in":{"deep":1}},"a.test":1,"Not A Name":"odd",
             "tags":["red","green",3,null,true],"none":[],"data":[10,20,30],"grid":[[1,2],[3,4]],"flags":[false,true],
             "legs":[{"px":1},{"px":2}],"names":["\\u0061b","cd"],"offs":[false,false],"mixed":[false,1],"min":5,"contains":"x"}
            """;

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            symbol = 'IBM' | T
            symbol = 'IBN' | F
            'IBM' = symbol | T
            symbol <> 'IBM' | F
            symbol != 'X' | T
            symbol < 'IBN' | T
            symbol <= 'IBM' | T
            symbol > 'IB' | T
            symbol >= 'IBMM' | F
            price = 100.5 | T
            price > 100 | T
            100 < price | T
            qty = 200.0 | T
            qty = 200L | T
            qty = 0xC8 | T
            qty = 0310 | T
            qty = 0b11001000 | T
            qty = 2e2 | T
            qty = 2_00 | T
            half = .5 | T
            big = 9223372036854775807 | T
            big < 9223372036854775808 | T
            big = 9223372036854775807.0 | F
            big + 1 = 9223372036854775808 | T
            big * 2 > big | T
            -big - 2 < -big | T
            -9223372036854775808 < -big | T
            """)
    void shouldCompareByValueWhenKindsAreAlike(final String condition, final char truth) {
        assertThat(Filters.truth(condition, ORDER)).isEqualTo(truth);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            symbol = 100 | F
            symbol <> 100 | T
            symbol < 100 | F
            symbol >= 100 | F
            symbol BETWEEN 1 AND 2 | F
            symbol NOT BETWEEN 1 AND 2 | T
            symbol IN (1, 2) | F
            symbol NOT IN (1, TRUE) | T
            price LIKE '100%' | F
            price NOT LIKE '100%' | T
            price CONTAINS '1' | F
            live = 1 | F
            live = 'true' | F
            '5' = 5 | F
            min = '5' | F
            live > dead | T
            live = TRUE | T
            live <> dead | T
            """)
    void shouldHoldDifferentKindsUnequalWhenCompared(final String condition, final char truth) {
        assertThat(Filters.truth(condition, ORDER)).isEqualTo(truth);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            gone = 1 | U
            missing = 1 | U
            gone <> 1 | U
            gone = gone | U
            missing < price | U
            NOT gone = 1 | U
            gone IS NULL | T
            missing IS NULL | T
            gone IS NOT NULL | F
            empty IS NULL | F
            empty = '' | T
            gone = 1 AND FALSE | F
            gone = 1 AND TRUE | U
            gone = 1 OR TRUE | T
            gone = 1 OR FALSE | U
            TRUE OR gone = 1 | T
            FALSE AND gone = 1 | F
            gone BETWEEN 1 AND 2 | U
            price BETWEEN gone AND 1 | F
            price BETWEEN gone AND 200 | U
            price BETWEEN 1 AND gone | U
            price NOT BETWEEN gone AND 1 | T
            gone IN (1, 2) | U
            qty IN (200, gone) | T
            qty IN (1, gone) | U
            qty NOT IN (1, gone) | U
            gone LIKE '%' | U
            gone NOT LIKE '%' | U
            gone LIKE_REGEX '.' | U
            gone BEGINS WITH 'a' | U
            symbol BEGINS WITH ('X', gone) | U
            symbol BEGINS WITH ('I', gone) | T
            (gone = 1) IS NULL | T
            (price = 1) IS NULL | F
            gone IS TRUE | F
            gone IS NOT TRUE | T
            gone IS FALSE | F
            gone IS NOT FALSE | T
            gone = 1 IS NULL | T
            (gone = 1) = (price = 1) | U
            (price > 1) = (qty > 1) | T
            1 / 0 = 1 | U
            1 / 0 IS NULL | T
            1 % 0 IS NULL | T
            1.5 / zero IS NULL | T
            1.5 % zero IS NULL | T
            gone + 1 = 1 | U
            price / missing IS NULL | T
            """)
    void shouldBeUnknownWhenAValueIsNull(final String condition, final char truth) {
        assertThat(Filters.truth(condition, ORDER)).isEqualTo(truth);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            live | T
            dead | F
            NOT dead | T
            gone | U
            symbol | U
            NOT symbol | U
            qty | U
            order | U
            live IS TRUE | T
            dead IS FALSE | T
            dead IS NOT TRUE | T
            symbol IS TRUE | F
            symbol IS NOT TRUE | T
            live AND NOT dead OR dead | T
            NOT live OR live | T
            NOT (live OR dead) | F
            TRUE | T
            FALSE | F
            NOT TRUE | F
            true and not false | T
            (price > 1) IS NOT FALSE | T
            IF(live, price > 1, FALSE) | T
            COALESCE(gone, live) | T
            NOT NOT live | T
            """)
    void shouldTakeBooleansAsConditionsWhenBare(final String condition, final char truth) {
        assertThat(Filters.truth(condition, ORDER)).isEqualTo(truth);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            10 / 4 = 2.5 | T
            10 / 5 = 2 | T
            17 / 4 = 4 | F
            7 % 4 = 3 | T
            -7 % 4 = -3 | T
            7.5 % 2 = 1.5 | T
            1 + 2 * 3 = 7 | T
            (1 + 2) * 3 = 9 | T
            10 - 4 - 3 = 3 | T
            100 / 5 / 2 = 10 | T
            2 * 3 % 4 = 2 | T
            - 2 * 3 = -6 | T
            --2 = 2 | T
            +price = 100.5 | T
            -price = -100.5 | T
            +symbol = 'IBM' | U
            -symbol = 1 | U
            symbol + '!' = 'IBM!' | T
            `symbol || '-' || side = 'IBM-B'` | T
            symbol + 1 = 1 | U
            symbol * 2 = 1 | U
            live + 1 = 2 | U
            price * qty = 20100 | T
            price + qty > 300 AND price - qty < 0 | T
            big + 0.0 = 9223372036854775808 | T
            """)
    void shouldComputeAsSqlWhenArithmetic(final String condition, final char truth) {
        assertThat(Filters.truth(condition, ORDER)).isEqualTo(truth);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /symbol = 'IBM' | T
            /order/price = 7 | T
            /order/@id = 'x1' | T
            /order/in/deep = 1 | T
            /order/missing = 1 | U
            /symbol/x IS NULL | T
            [/Not A Name] = 'odd' | T
            "Not A Name" = 'odd' | T
            "a.test" = 1 | T
            [/a.test] = 1 | T
            [/order/in/deep] = 1 | T
            /order/"in"/deep = 1 | T
            /order/price / 7 = 1 | T
            7 / /order/price = 1 | T
            data[0] = 10 | T
            /data[2] = 30 | T
            [/data[1]] = 20 | T
            /data[3] IS NULL | T
            "data"[1] = 20 | T
            /legs[1]/px = 2 | T
            min = 5 AND contains = 'x' | T
            contains CONTAINS 'x' | T
            """)
    void shouldFindFieldsByPathWhenNested(final String condition, final char truth) {
        assertThat(Filters.truth(condition, ORDER)).isEqualTo(truth);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            tags = 'green' | T
            tags = 'blue' | U
            tags <> 'red' | T
            tags = 3 | T
            tags IS NULL | F
            none IS NULL | F
            none = 1 | F
            NOT none = 1 | T
            data = 20 | T
            data = 25 | F
            data > 25 | T
            data <> 10 | T
            20 = data | T
            data BETWEEN 11 AND 19 | F
            data BETWEEN 15 AND 25 | T
            data IN (1, 30) | T
            data NOT IN (1, 30) | F
            tags IN ('x', 'red') | T
            tags LIKE 'gr%' | T
            names LIKE 'a_' | T
            tags CONTAINS 'ee' | T
            tags BEGINS WITH ('q', 're') | T
            flags | T
            data | U
            none | F
            NOT flags | F
            NOT flags[0] | T
            NOT data | U
            NOT none | T
            NOT tags | F
            NOT offs | T
            NOT mixed | U
            NOT grid | U
            flags IS TRUE | T
            flags IS NOT TRUE | F
            flags = FALSE | T
            NOT flags = FALSE | F
            flags IS FALSE | F
            offs IS FALSE | T
            none IS FALSE | T
            mixed IS FALSE | F
            mixed IS NOT TRUE | T
            (NOT flags) = FALSE | T
            (NOT none) = TRUE | T
            (NOT mixed) IS NULL | T
            (NOT offs AND NOT none) = TRUE | T
            NOT tags = 'blue' | U
            tags NOT IN ('blue') | U
            NOT data = 25 | T
            data + 1 = 11 | T
            none + 1 IS NULL | T
            ABS(data) = 10 | T
            UPPER(tags) = 'RED' | T
            `UPPER(names) || 'x' = 'ABx'` | T
            data = /legs[0]/px * 10 | T
            grid = 1 | U
            grid IS NULL | F
            order = 1 | U
            order IS NULL | F
            data = data | T
            names = names | T
            tags = names | U
            data = tags | U
            none = data | F
            price BETWEEN data AND 200 | T
            qty IN (1, data) | F
            10 IN (1, data) | T
            data = 10 AND data = 20 AND data = 30 | T
            TRIM(names) = names | T
            """)
    void shouldPassAnyElementWhenAnArrayIsCompared(final String condition, final char truth) {
        assertThat(Filters.truth(condition, ORDER)).isEqualTo(truth);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            symbol LIKE 'IBM' | T
            symbol LIKE 'I%' | T
            symbol LIKE '%M' | T
            symbol LIKE '%B%' | T
            symbol LIKE 'I_M' | T
            symbol LIKE '___' | T
            symbol LIKE '____' | F
            symbol LIKE '__' | F
            symbol LIKE '%' | T
            symbol LIKE '' | F
            empty LIKE '' | T
            empty LIKE '%' | T
            empty LIKE '_' | F
            symbol LIKE 'ibm' | F
            symbol LIKE '%I%B%M%' | T
            symbol LIKE '%IB%BM%' | F
            text LIKE '100!%!_%' ESCAPE '!' | T
            text LIKE '100%' | T
            text LIKE '%!%%' ESCAPE '!' | T
            symbol LIKE '%!%%' ESCAPE '!' | F
            text LIKE '%_ber _' | T
            text LIKE '%_ber __' | F
            text LIKE '%über%' | T
            text LIKE '_____ber%' | F
            text LIKE '______ber%' | T
            text LIKE '%%%%%%%%' | T
            quote LIKE 'it''s' | T
            text LIKE '100ü%ü__ber%' ESCAPE 'ü' | T
            text LIKE '100ü%ü_üüber%' ESCAPE 'ü' | T
            symbol LIKE_REGEX '^I.M$' | T
            symbol LIKE_REGEX 'B' | T
            symbol LIKE_REGEX 'b' | F
            symbol LIKE_REGEX '(?i)b' | T
            symbol NOT LIKE_REGEX 'X' | T
            text LIKE_REGEX '_\\p{L}ber .$' | T
            symbol BEGINS WITH 'IB' | T
            symbol BEGINS WITH 'IBMX' | F
            symbol NOT BEGINS WITH 'B' | T
            symbol ENDS WITH 'BM' | T
            symbol ENDS WITH ('X', 'M') | T
            symbol CONTAINS 'B' | T
            symbol CONTAINS ('x', 'y') | F
            symbol CONTAINS '' | T
            `symbol CONTAINS side || 'M'` | T
            symbol BEGINS WITH UPPER('i') | T
            """)
    void shouldMatchPatternsWhenTexts(final String condition, final char truth) {
        assertThat(Filters.truth(condition, ORDER)).isEqualTo(truth);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            side IN ('B', 'S') | T
            side NOT IN ('B', 'S') | F
            side IN ('X') | F
            qty IN (1, 2, 3, 200, 5, 6, 7, 8, 9, 10, 11) | T
            qty IN (1, 2, 3, 200.0, 5, 6, 7, 8, 9, 10, 11) | T
            half IN (1, 2, 3, 0.5, 5, 6, 7, 8, 9, 10, 11) | T
            side IN ('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J') | T
            symbol IN ('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J') | F
            symbol IN ('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'IBM', 1, TRUE) | T
            live IN ('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'IBM', 1, TRUE) | T
            dead IN ('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'IBM', 1, TRUE) | F
            order IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10) | U
            zero IN (1, 2, 3, 4, 5, 6, 7, 8, 9, -0.0) | T
            big IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 9223372036854775807) | T
            big IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 9223372036854775807.0) | F
            qty IN (1, 100 * 2) | T
            qty IN (price, 2 * 100) | T
            """)
    void shouldLookThroughListsWhenIn(final String condition, final char truth) {
        assertThat(Filters.truth(condition, ORDER)).isEqualTo(truth);
    }
}
