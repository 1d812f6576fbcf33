package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What select lists say, and which are refused. */
class SelectListTest {
    private static SelectList parse(final String select, final String groupBy) {
        return SelectList.parse(select, groupBy, FilterLimits.DEFAULTS);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            price                                    ~ price
            price, qty                               ~ price; qty
            /order/price, /order/@qty                ~ price; @qty
            data[0], /legs[1]/px                     ~ data; px
            price AS p, qty as "odd name"            ~ p; odd name
            "in", /a/"b c"                           ~ in; b c
            price*qty                                ~ price * qty
            price*qty AS value                       ~ value
            as AS as                                 ~ as
            count, sum AS count2                     ~ count; count2
            count(*), avg( delay )                   ~ COUNT(*); AVG(delay)
            COUNT(*) AS n, MIN(a), MIN(1,2)          ~ n; MIN(a); MIN(1, 2)
            SUM(price * qty) / SUM(qty) AS vwap      ~ vwap
            SUM(a) + 1                               ~ SUM(a) + 1
            count( distinct  a ), COUNT(a)           ~ COUNT(DISTINCT a); COUNT(a)
            COUNT(DISTINCT "distinct"), MAX(b)       ~ COUNT(DISTINCT "distinct"); MAX(b)
            """)
    void shouldNameItsItemsWhenParsed(final String select, final String names) {
        assertThat(String.join("; ", parse(select, "").names())).isEqualTo(names);
    }

    @ParameterizedTest(name = "{0} BY {1}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            price,qty AS qty                ~              ~ price, qty
            price as p                      ~              ~ price AS p
            price AS "in"                   ~              ~ price AS "in"
            price AS "1a"                   ~              ~ price AS "1a"
            a, count( * )                   ~ /a           ~ a, COUNT(*) GROUP BY a
            count(distinct /a/b), b+1       ~ b+1          ~ COUNT(DISTINCT /a/b), b + 1 GROUP BY b + 1
            COUNT("distinct"*2), count("Distinct"[1]) ~    ~ COUNT("distinct" * 2), COUNT("Distinct"[1])
            MAX(distinct), COUNT("distinct")  ~            ~ MAX("distinct"), COUNT("distinct")
            SUM("distinctive"), COUNT(DISTINCT (b)-1) ~    ~ SUM(distinctive), COUNT(DISTINCT b - 1)
            ABS(a), max(x) AS "MAX(x)"      ~ abs( a ),b,b ~ ABS(a), MAX(x) GROUP BY ABS(a), b
            """)
    void shouldHaveOneCanonicalTextWhenSpelledInAnotherWay(
            final String select, final String groupBy, final String text) {
        final SelectList list = parse(select, groupBy == null ? "" : groupBy);
        assertThat(list.text()).isEqualTo(text);
        final int end = text.indexOf(" GROUP BY ");
        final String again = end < 0 ? "" : text.substring(end + " GROUP BY ".length());
        assertThat(parse(end < 0 ? text : text.substring(0, end), again).text()).isEqualTo(text);
    }

    @ParameterizedTest(name = "{0} BY {1}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            ``                        ~ ``  ~ false
            a, MAX(a, b)              ~ ``  ~ false
            'x'                       ~ ``  ~ false
            COUNT(*)                  ~ ``  ~ true
            1 + MAX(a)                ~ ``  ~ true
            a                         ~ a   ~ true
            """)
    void shouldReturnWhetherItIsOfGroups(final String select, final String groupBy, final boolean isAggregate) {
        assertThat(parse(select, groupBy).isAggregate()).isEqualTo(isAggregate);
    }

    @ParameterizedTest(name = "{0} BY {1}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            price,                       ~ ``        ~ select: expected a value at 7: price,
            ,price                       ~ ``        ~ select: expected a value at 1: ,
            price qty                    ~ ``        ~ select: expected an operator, AS, a comma or the end at 7: price qty
            price AS                     ~ ``        ~ select: expected a name at 9: price AS
            price AS 5                   ~ ``        ~ select: expected a name at 10: price AS 5
            price AS in                  ~ ``        ~ select: expected a name at 10: price AS in
            price AS /p                  ~ ``        ~ select: expected a name at 10: price AS /p
            price AS "a"/b               ~ ``        ~ select: expected a name at 10: price AS "a"/b
            price AS ""                  ~ ``        ~ select: expected a field's name at 10: price AS "
            price AS p q                 ~ ``        ~ select: expected an operator, AS, a comma or the end at 12: price AS p q
            *                            ~ ``        ~ select: expected a value at 1: *
            a, b, /x/a                   ~ ``        ~ select: another item has this name (use AS) at 7: a, b, /x/a
            a AS b, b                    ~ ``        ~ select: another item has this name (use AS) at 9: a AS b, b
            COUNT(*), count(*)           ~ ``        ~ select: another item has this name (use AS) at 11: COUNT(*), count(*)
            COUNT()                      ~ ``        ~ select: expected a value at 7: COUNT()
            COUNT(a, b)                  ~ ``        ~ select: expected ) at 8: COUNT(a,
            COUNT(DISTINCT)              ~ ``        ~ select: expected a value at 15: COUNT(DISTINCT)
            COUNT(distinct *)            ~ ``        ~ select: expected a value at 16: COUNT(distinct *
            COUNT(DISTINCT a, b)         ~ ``        ~ select: expected ) at 17: COUNT(DISTINCT a,
            COUNT(DISTINCT a b)          ~ ``        ~ select: expected ) at 18: COUNT(DISTINCT a b
            COUNT(a DISTINCT)            ~ ``        ~ select: expected ) at 9: COUNT(a DISTINCT
            COUNT(DISTINCT DISTINCT a)   ~ ``        ~ select: expected ) at 25: COUNT(DISTINCT DISTINCT a
            1, SUM(DISTINCT a)           ~ ``        ~ select: DISTINCT stands in COUNT alone (put the name of a field in double quotes) at 8: 1, SUM(DISTINCT
            MIN(DISTINCT a)              ~ ``        ~ select: expected ) at 14: MIN(DISTINCT a
            COUNT(DISTINCT MAX(a))       ~ ``        ~ select: an aggregate within an aggregate at 1: COUNT(DISTINCT MAX(a))
            COUNT_DISTINCT(a)            ~ ``        ~ select: no function of that name (there are COUNT, SUM, AVG, MIN, MAX, ABS, CEIL, COALESCE, CONCAT, FLOOR, GEO_DISTANCE, IF, INSTR, LENGTH, LOWER, MAX, MIN, NULLIF, REPLACE, ROUND, STRFTIME, SUBSTR, TRIM, UNIX_TIMESTAMP, UPPER, HEADER) at 1: COUNT_DISTINCT
            SUM(*)                       ~ ``        ~ select: expected a value at 5: SUM(*
            SUM('a')                     ~ ``        ~ select: expected a number at 5: SUM('a'
            AVG(a = 1)                   ~ ``        ~ select: expected a number at 5: AVG(a = 1
            SUM(MAX(a))                  ~ ``        ~ select: an aggregate within an aggregate at 1: SUM(MAX(a))
            MAX(1 + MIN(a))              ~ ``        ~ select: an aggregate within an aggregate at 1: MAX(1 + MIN(a))
            UPPER(COUNT(*))              ~ ``        ~ select: expected a text at 7: UPPER(COUNT(*)
            price, COUNT(*)              ~ ``        ~ select: price is neither in the group by nor in an aggregate at 1: price
            side, price + 1, COUNT(*)    ~ side      ~ select: price is neither in the group by nor in an aggregate at 7: side, price + 1
            COUNT(*), MAX(a) - /b/c      ~ side      ~ select: /b/c is neither in the group by nor in an aggregate at 11: COUNT(*), MAX(a) - /b/c
            side                         ~ side,     ~ group by: expected a value at 6: side,
            side                         ~ side AS s ~ group by: expected an operator, a comma or the end at 6: side AS
            side                         ~ SUM(a)    ~ group by: no function of that name (there are ABS, CEIL, COALESCE, CONCAT, FLOOR, GEO_DISTANCE, IF, INSTR, LENGTH, LOWER, MAX, MIN, NULLIF, REPLACE, ROUND, STRFTIME, SUBSTR, TRIM, UNIX_TIMESTAMP, UPPER, HEADER) at 1: SUM
            UNIX_TIMESTAMP()             ~ ``        ~ select: the current time is not known here at 1: UNIX_TIMESTAMP()
            """)
    void shouldSayWhereAndWhatIsWrongWhenRefused(final String select, final String groupBy, final String message) {
        assertThatExceptionOfType(FilterException.class)
                .isThrownBy(() -> parse(select, groupBy))
                .withMessage(message)
                .satisfies(refusal -> assertThat(message).contains(" at " + refusal.position() + ":"));
    }

    @Test
    void shouldRefuseAGroupByWithoutItems() {
        assertThatExceptionOfType(FilterException.class)
                .isThrownBy(() -> parse("", "side"))
                .withMessageStartingWith("select: expected an item, for there is a group by, at 1");
    }

    @Test
    void shouldNameTheAggregatesWhenAFunctionIsUnknown() {
        assertThatExceptionOfType(FilterException.class)
                .isThrownBy(() -> parse("MEDIAN(a)", ""))
                .withMessageStartingWith(
                        "select: no function of that name (there are COUNT, SUM, AVG, MIN, MAX, ABS, CEIL");
    }

    @Test
    void shouldRefuseMoreItemsWhenAtTheLimit() {
        final FilterLimits limits = new FilterLimits(100, 100, 100, 3, 100);
        assertThat(SelectList.parse("a, b, c", "", limits).names()).hasSize(3);
        assertThatExceptionOfType(FilterException.class)
                .isThrownBy(() -> SelectList.parse("a, b, c, d", "", limits))
                .withMessage("select: a list of more than 3 items at 10: a, b, c, d");
        assertThatExceptionOfType(FilterException.class)
                .isThrownBy(() -> SelectList.parse("a", "a, b, c, d", limits))
                .withMessage("group by: a list of more than 3 items at 10: a, b, c, d");
    }

    @Test
    void shouldRefuseTextsLongerThanTheLimit() {
        final FilterLimits limits = new FilterLimits(5, 100, 100, 100, 100);
        assertThatExceptionOfType(FilterException.class)
                .isThrownBy(() -> SelectList.parse("a, b, c", "", limits))
                .withMessage("select: longer than 5 characters: 7");
        assertThatExceptionOfType(FilterException.class)
                .isThrownBy(() -> SelectList.parse("a", "a, b, c", limits))
                .withMessage("group by: longer than 5 characters: 7");
    }

    @Test
    void shouldReadOnlyTheFieldsItMentionsWhenAskedForThem() {
        assertThat(paths(parse("a + b, /c/d, a AS again", ""))).containsExactly("/a", "/b", "/c/d");
        assertThat(paths(parse("SUM(x * y), k + 1, COUNT(*), MAX(x)", "k"))).containsExactly("/k", "/x", "/y");
        assertThat(paths(parse("COUNT(*)", ""))).isEmpty();
        assertThat(paths(parse("", ""))).isEmpty();
    }

    private static List<String> paths(final SelectList list) {
        final FieldSet fields = list.fields();
        final List<String> paths = new ArrayList<>();
        for (int i = 0; i < fields.count(); i++) {
            paths.add(fields.path(i).toString());
        }
        return paths;
    }
}
