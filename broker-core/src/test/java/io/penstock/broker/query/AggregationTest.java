package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.penstock.format.binary.BinaryFormat;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups and what is said of them, as messages come and go. */
class AggregationTest {
    private static final String IBM = "{\"s\":\"IBM\",\"p\":10.5,\"q\":1}";
    private static final String IBM_LATER = "{\"s\":\"IBM\",\"p\":11.5,\"q\":2}";
    private static final String GE = "{\"s\":\"GE\",\"p\":3}";

    /** Aggregates of x over messages that have nothing but x. */
    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            COUNT(*) ~ 1 null 'a'                                ~ 3
            COUNT(x) ~ 1 null 'a' true [] {}                     ~ 3
            COUNT(*) ~ ``                                        ~ 0
            COUNT(x) ~ ``                                        ~ 0
            COUNT(DISTINCT x) ~ ``                               ~ 0
            COUNT(DISTINCT x) ~ null [] {}                       ~ 0
            COUNT(DISTINCT x) ~ 1 1.0 10e-1 '1' true [1,2]       ~ 3
            COUNT(DISTINCT x) ~ 0 -0.0 false '' ''               ~ 3
            COUNT(DISTINCT x) ~ 2.5 25e-1 2.25 'ü' 'u' 'ü'       ~ 4
            COUNT(DISTINCT x) ~ 1e999 -1e999 2                   ~ 1
            COUNT(DISTINCT x) ~ 9007199254740993 9007199254740992 9007199254740992.0 ~ 2
            COUNT(DISTINCT x) ~ 9223372036854775807 9223372036854775808.0 1e300 ~ 3
            COUNT(DISTINCT x) + COUNT(x) ~ 1 1 2                 ~ 5
            SUM(x)   ~ ``                                        ~ null
            AVG(x)   ~ ``                                        ~ null
            MIN(x)   ~ ``                                        ~ null
            MAX(x)   ~ null null                                 ~ null
            SUM(x)   ~ null null                                 ~ null
            SUM(x)   ~ 'a' true {}                               ~ null
            SUM(x)   ~ 1 2 null 'a' 3                            ~ 6
            SUM(x)   ~ 1 2.5                                     ~ 3.5
            SUM(x)   ~ [7,8] [] 1                                ~ 8
            SUM(x)   ~ 9223372036854775807                       ~ 9223372036854775807
            SUM(x)   ~ 9223372036854775807 1                     ~ 9.223372036854775808E18
            SUM(x)   ~ 9223372036854775807 1 -1                  ~ 9223372036854775807
            SUM(x)   ~ -9223372036854775808 -9223372036854775808 ~ -1.8446744073709551616E19
            SUM(x)   ~ -9223372036854775808 -1 1                 ~ -9223372036854775808
            SUM(x)   ~ 1e18 1.5 -1e18                            ~ 1.5
            SUM(x)   ~ 1e300 1 -1e300                            ~ 1
            SUM(x)   ~ 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1   ~ 1
            SUM(x)   ~ 1e308 1e308                               ~ null
            SUM(x)   ~ 1e308 1e308 -1e308                        ~ 1e308
            SUM(x)   ~ 1e999 2                                   ~ 2
            SUM(x)   ~ 4.9e-324 4.9e-324                         ~ 9.9e-324
            SUM(x)   ~ 9007199254740993 0.5                      ~ 9007199254740994
            AVG(x)   ~ 1 2                                       ~ 1.5
            AVG(x)   ~ 1 null 3                                  ~ 2
            AVG(x)   ~ 9223372036854775807 9223372036854775807   ~ 9223372036854775807
            AVG(x)   ~ 1e308 1e308                               ~ 1e308
            AVG(x)   ~ -1e308 -1e308 -1e308                      ~ -1e308
            AVG(x)   ~ 1e308 1e308 1e308 -1e308                  ~ 5e307
            AVG(x)   ~ 1.7976931348623157e308 1.7976931348623157e308 ~ 1.7976931348623157e308
            AVG(x)   ~ 1e308 9223372036854775807 1e308           ~ 6.666666666666666e307
            SUM(x)   ~ 1e308 1e308 1                             ~ null
            SUM(x) / COUNT(x) ~ 1e308 1e308                      ~ null
            MIN(x)   ~ 3 1 2                                     ~ 1
            MAX(x)   ~ 3 1 2                                     ~ 3
            MAX(x)   ~ 1 'a' true                                ~ "a"
            MIN(x)   ~ 1 'a' true                                ~ true
            MIN(x)   ~ 'a' 1                                     ~ 1
            MAX(x)   ~ 1 true                                    ~ 1
            MAX(x)   ~ true false                                ~ true
            MIN(x)   ~ 'b' 'ab' 'a'                              ~ "a"
            MAX(x)   ~ 'ü' 'z'                                   ~ "ü"
            MAX(x)   ~ 9007199254740992.5 9007199254740993       ~ 9007199254740993
            MAX(x)   ~ 9223372036854775807 9223372036854775808.0 ~ 9.223372036854775808E18
            MIN(x)   ~ -0.0 0                                    ~ 0
            """)
    void shouldComputeItWhenTheMessagesAreAddedAndWhenMoreWereRemoved(
            final String aggregate, final String values, final String expected) {
        final Aggregation aggregation = Rows.aggregation(aggregate + " AS r", "");
        final Aggregation scan = Aggregation.scan(Rows.list(aggregate + " AS r", ""), Rows.JSON, 1);
        final List<String> passing = List.of("1e307", "-77", "'zz'", "false", "1e-300", "9223372036854775807", "null");
        passing.forEach(value -> Rows.add(aggregation, message(value)));
        final List<String> present = values.isEmpty()
                ? List.of()
                : Stream.of(values.trim().split(" +", -1)).toList();
        present.forEach(value -> Rows.add(aggregation, message(value)));
        present.forEach(value -> Rows.add(scan, message(value)));
        passing.forEach(value -> Rows.remove(aggregation, message(value)));
        assertThat(Rows.all(scan)).singleElement().satisfies(row -> assertRow(row, expected));
        assertThat(Rows.all(aggregation)).singleElement().satisfies(row -> assertRow(row, expected));
    }

    private static String message(final String value) {
        return "{\"x\":" + value.replace('\'', '"') + "}";
    }

    /** Numbers may be spelled in another way. */
    private static void assertRow(final String row, final String expected) {
        final String value = row.substring("{\"r\":".length(), row.length() - 1);
        if (Character.isDigit(expected.charAt(expected.length() - 1)) && !value.equals("null")) {
            final boolean isLong = !expected.matches(".*[.e].*") && Double.parseDouble(expected) > 1e15;
            assertThat(Double.parseDouble(value)).isEqualTo(Double.parseDouble(expected));
            assertThat(!isLong || value.contains(".") || value.contains("E") || value.equals(expected))
                    .as(value)
                    .isTrue();
        } else {
            assertThat(value).isEqualTo(expected);
        }
    }

    /** The examples of the reference. */
    @ParameterizedTest(name = "{1} BY {2}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            {"s":"A","x":1} {"s":"B","x":"n/a"} {"s":"A","x":2.5} ~ s, COUNT(*), SUM(x) AS sum ~ s ~ {"s":"A","COUNT(*)":2,"sum":3.5} {"s":"B","COUNT(*)":1,"sum":null}
            {"x":1} {"x":true} {"x":"a"} {} ~ COUNT(x) AS n, MIN(x) AS min, MAX(x) AS max ~ `` ~ {"n":3,"min":true,"max":"a"}
            {"k":1} {"k":1.0} {"k":"1"} ~ k, COUNT(*) AS n ~ k ~ {"k":1,"n":2} {"k":"1","n":1}
            {"x":1} {"x":1.0} {"x":"1"} {"x":"b"} {"x":"b"} {"x":null} {} ~ COUNT(x) AS n, COUNT(DISTINCT x) AS u ~ `` ~ {"n":5,"u":3}
            `` ~ COUNT(*) AS n, SUM(x) AS sum ~ `` ~ {"n":0,"sum":null}
            """)
    void shouldGiveTheRowsOfTheReference(
            final String messages, final String select, final String groupBy, final String rows) {
        final Aggregation aggregation = Rows.aggregation(select, groupBy);
        Stream.of(messages.split(" ", -1)).filter(each -> !each.isEmpty()).forEach(each -> Rows.add(aggregation, each));
        assertThat(String.join(" ", Rows.all(aggregation))).isEqualTo(rows);
    }

    @Test
    void shouldGroupWhenMessagesShareTheirKey() {
        final Aggregation aggregation = Rows.aggregation("s, COUNT(*), SUM(p) AS sum, MAX(q)", "s");
        Stream.of(IBM, GE, IBM_LATER).forEach(each -> Rows.add(aggregation, each));
        assertThat(aggregation.groupCount()).isEqualTo(2);
        assertThat(Rows.all(aggregation))
                .containsExactly(
                        "{\"s\":\"IBM\",\"COUNT(*)\":2,\"sum\":22,\"MAX(q)\":2}",
                        "{\"s\":\"GE\",\"COUNT(*)\":1,\"sum\":3,\"MAX(q)\":null}");
    }

    @Test
    void shouldGroupByValueWhenTypesDiffer() {
        final Aggregation aggregation = Rows.aggregation("k, COUNT(*) AS n", "k");
        for (final String key :
                List.of("1", "1.0", "10e-1", "\"1\"", "true", "null", "{}", "[]", "[1,2]", "0", "-0.0")) {
            Rows.add(aggregation, "{\"k\":" + key + "}");
        }
        Rows.add(aggregation, "{}");
        assertThat(Rows.all(aggregation))
                .containsExactly(
                        "{\"k\":1,\"n\":4}",
                        "{\"k\":\"1\",\"n\":1}",
                        "{\"k\":true,\"n\":1}",
                        "{\"k\":null,\"n\":4}",
                        "{\"k\":0,\"n\":2}");
    }

    @Test
    void shouldKeepKeysApartWhenTheyAreOfSeveralValues() {
        final Aggregation aggregation = Rows.aggregation("a, b, COUNT(*) AS n", "a, b");
        for (final String pair : List.of("\"x\",\"y\"", "\"xy\",\"\"", "\"\",\"xy\"", "null,\"x\"", "\"x\",null")) {
            final int comma = pair.indexOf(',');
            Rows.add(aggregation, "{\"a\":" + pair.substring(0, comma) + ",\"b\":" + pair.substring(comma + 1) + "}");
        }
        assertThat(aggregation.groupCount()).isEqualTo(5);
    }

    @Test
    void shouldComputeWithGroupsWhenItemsAreExpressionsOfThem() {
        final Aggregation aggregation = Rows.aggregation(
                "LOWER(s) AS s, SUM(p * q) / SUM(q) AS vwap, MAX(p) - MIN(p) AS spread, "
                        + "IF(COUNT(*) > 1, 'many', 'one') AS size, UPPER(s) || '!' AS cry, 5 AS five",
                "s");
        Rows.add(aggregation, IBM);
        Rows.add(aggregation, IBM_LATER);
        assertThat(Rows.all(aggregation))
                .containsExactly("{\"s\":\"ibm\",\"vwap\":11.166666666666666,\"spread\":1,\"size\":\"many\","
                        + "\"cry\":\"IBM!\",\"five\":5}");
    }

    @Test
    void shouldGroupByExpressionsWhenAskedTo() {
        final Aggregation aggregation =
                Rows.aggregation("p > 10 AS high, (p > 10) = TRUE AS again, COUNT(*) AS n", "p > 10");
        Stream.of(IBM, GE, IBM_LATER).forEach(each -> Rows.add(aggregation, each));
        assertThat(Rows.all(aggregation))
                .containsExactly("{\"high\":true,\"again\":true,\"n\":2}", "{\"high\":false,\"again\":false,\"n\":1}");
    }

    @Test
    void shouldRefuseMoreGroupsWhenAtTheLimit() {
        final Aggregation aggregation = new Aggregation(Rows.list("s, SUM(q) AS q", "s"), Rows.JSON, 1);
        assertThat(Rows.add(aggregation, IBM)).isTrue();
        assertThat(Rows.add(aggregation, GE)).isFalse();
        assertThat(Rows.add(aggregation, IBM_LATER)).isTrue();
        assertThat(Rows.all(aggregation)).containsExactly("{\"s\":\"IBM\",\"q\":3}");
        assertThat(aggregation.groupCount()).isEqualTo(1);
    }

    @Test
    void shouldRefuseMoreMessagesWhenDifferentValuesTakeTooMuchMemory() {
        final SelectList list = Rows.list("s, COUNT(DISTINCT x) AS n", "s").withValuesLengthMax(500);
        final Aggregation aggregation = new Aggregation(list, Rows.JSON, 10);
        for (int i = 0; i < 11; i++) {
            assertThat(aggregation.isFull()).isFalse();
            assertThat(Rows.add(aggregation, "{\"s\":" + i % 2 + ",\"x\":" + i % 11 + "}"))
                    .isTrue();
        }
        assertThat(aggregation.isFull()).isTrue();
        assertThat(Rows.add(aggregation, "{\"s\":0,\"x\":1}")).isFalse();
        assertThat(Rows.all(aggregation)).containsExactly("{\"s\":0,\"n\":6}", "{\"s\":1,\"n\":5}");
        Rows.remove(aggregation, "{\"s\":1,\"x\":3}");
        assertThat(Rows.add(aggregation, "{\"s\":0,\"x\":\"a\"}")).isTrue();
        assertThat(Rows.add(aggregation, "{\"s\":0,\"x\":1}")).isFalse();
        assertThat(Rows.all(aggregation)).containsExactly("{\"s\":0,\"n\":7}", "{\"s\":1,\"n\":4}");
    }

    @Test
    void shouldRefuseAMergeWhenDifferentValuesOfBothTakeTooMuchMemory() {
        final SelectList list = Rows.list("COUNT(DISTINCT x) AS n", "").withValuesLengthMax(500);
        final Aggregation first = Aggregation.scan(list, Rows.JSON, 10);
        final Aggregation second = Aggregation.scan(list, Rows.JSON, 10);
        final Aggregation same = Aggregation.scan(list, Rows.JSON, 10);
        for (int i = 0; i < 6; i++) {
            Rows.add(first, "{\"x\":" + i + "}");
            Rows.add(same, "{\"x\":" + i + ".0}");
            Rows.add(second, "{\"x\":" + (i + 6) + "}");
        }
        assertThat(first.merge(same)).isTrue();
        assertThat(Rows.all(first)).containsExactly("{\"n\":6}");
        assertThat(first.merge(second)).isFalse();
        assertThat(first.isFull()).isTrue();
    }

    @Test
    void shouldTakeAnotherGroupWhenOneWasEmptied() {
        final Aggregation aggregation = new Aggregation(Rows.list("s", "s"), Rows.JSON, 1);
        Rows.add(aggregation, IBM);
        Rows.remove(aggregation, IBM);
        assertThat(Rows.add(aggregation, GE)).isTrue();
        assertThat(Rows.add(aggregation, IBM)).isFalse();
        Rows.remove(aggregation, GE);
        assertThat(Rows.add(aggregation, "{\"s\":\"third\"}"))
                .as("before draining")
                .isFalse();
        assertThat(Rows.changed(aggregation)).containsExactly("0 gone 8", "0 gone 7");
        assertThat(Rows.add(aggregation, "{\"s\":\"third\"}"))
                .as("after draining")
                .isTrue();
    }

    @Test
    void shouldDrainTheGroupsThatChangedAndThoseThatAreGone() {
        final Aggregation aggregation = Rows.aggregation("s, SUM(q) AS q", "s");
        Stream.of(IBM, GE).forEach(each -> Rows.add(aggregation, each));
        assertThat(Rows.changed(aggregation))
                .containsExactly("1 {\"s\":\"IBM\",\"q\":1}", "1 {\"s\":\"GE\",\"q\":null}");
        assertThat(Rows.changed(aggregation)).isEmpty();
        Rows.add(aggregation, IBM_LATER);
        Rows.remove(aggregation, GE);
        Rows.remove(aggregation, IBM);
        assertThat(Rows.changed(aggregation)).containsExactly("1 {\"s\":\"IBM\",\"q\":2}", "0 gone 7");
        assertThat(aggregation.groupCount()).isEqualTo(1);
        Rows.add(aggregation, GE);
        assertThat(Rows.changed(aggregation)).containsExactly("1 {\"s\":\"GE\",\"q\":null}");
    }

    @Test
    void shouldHaveOneGroupWhenThereIsNoGroupBy() {
        final Aggregation aggregation = Rows.aggregation("COUNT(*) AS n, MAX(q) AS q", "");
        assertThat(Rows.changed(aggregation)).isEmpty();
        assertThat(aggregation.groupCount()).isEqualTo(1);
        assertThat(Rows.all(aggregation)).containsExactly("{\"n\":0,\"q\":null}");
        Rows.add(aggregation, IBM);
        assertThat(Rows.changed(aggregation)).containsExactly("1 {\"n\":1,\"q\":1}");
        Rows.remove(aggregation, IBM);
        assertThat(Rows.changed(aggregation)).containsExactly("0 gone 0");
        assertThat(Rows.all(aggregation)).containsExactly("{\"n\":0,\"q\":null}");
        Rows.add(aggregation, IBM);
        assertThat(Rows.changed(aggregation)).containsExactly("1 {\"n\":1,\"q\":1}");
    }

    @Test
    void shouldVisitChangesAgainWhenTheConsumerFailed() {
        final Aggregation aggregation = Rows.aggregation("s, SUM(q) AS q", "s");
        Stream.of(IBM, GE).forEach(each -> Rows.add(aggregation, each));
        Rows.remove(aggregation, IBM);
        assertThatIllegalStateException()
                .isThrownBy(() -> aggregation.drainChanged((key, offset, length, count, row) -> {
                    throw new IllegalStateException("no room");
                }));
        assertThat(Rows.changed(aggregation)).containsExactly("0 gone 8", "1 {\"s\":\"GE\",\"q\":null}");
    }

    @Test
    void shouldVisitSomeAtATimeInOrderWhenThereIsALimit() {
        final Aggregation aggregation = Rows.aggregation("s, COUNT(*) AS n", "s");
        Stream.of("a", "b", "c", "d").forEach(each -> Rows.add(aggregation, "{\"s\":\"" + each + "\"}"));
        Rows.remove(aggregation, "{\"s\":\"b\"}");
        final List<String> visited = new ArrayList<>();
        final Aggregation.GroupConsumer consumer =
                (key, offset, length, count, row) -> visited.add(count + " " + Rows.text(row));
        assertThat(aggregation.drainChanged(consumer, 0)).isFalse();
        assertThat(aggregation.drainChanged(consumer, 3)).isFalse();
        assertThat(visited)
                .containsExactly("1 {\"s\":\"a\",\"n\":1}", "0 {\"s\":\"b\",\"n\":0}", "1 {\"s\":\"c\",\"n\":1}");
        // One that was visited is visited again, after those that wait; one that waits is visited once.
        Rows.add(aggregation, "{\"s\":\"a\"}");
        Rows.add(aggregation, "{\"s\":\"b\"}");
        Rows.add(aggregation, "{\"s\":\"d\"}");
        visited.clear();
        assertThat(aggregation.drainChanged(consumer, 3)).isTrue();
        assertThat(visited)
                .containsExactly("2 {\"s\":\"d\",\"n\":2}", "2 {\"s\":\"a\",\"n\":2}", "1 {\"s\":\"b\",\"n\":1}");
        assertThat(aggregation.drainChanged(consumer, 3)).isTrue();
        assertThat(visited).hasSize(3);
    }

    @Test
    void shouldGiveOneKeyToEqualGroups() {
        final List<String> keys = new ArrayList<>();
        for (final String price : List.of("1", "1.0", "1e0")) {
            final Aggregation aggregation = Rows.aggregation("p, t", "p, t");
            Rows.add(aggregation, "{\"p\":" + price + ",\"t\":\"a\"}");
            aggregation.forEach((key, offset, length, count, row) -> {
                final byte[] bytes = new byte[length];
                key.getBytes(offset, bytes);
                keys.add(HexFormat.of().formatHex(bytes));
            });
        }
        assertThat(keys).containsOnly("020100000000000000" + "040100000061");
    }

    @Test
    void shouldSayThatARowDoesNotFit() {
        final Aggregation aggregation = Rows.aggregation("COUNT(*) AS n", "");
        aggregation.forEach((key, offset, length, count, row) -> {
            assertThat(row.write(new UnsafeBuffer(new byte[6]), 0, 6)).isEqualTo(Projection.TOO_LONG);
            assertThat(row.write(new UnsafeBuffer(new byte[7]), 0, 7)).isEqualTo(7);
        });
    }

    @Test
    void shouldMergeGroupsWhenBothHaveThem() {
        final String select =
                "s, COUNT(*) AS n, COUNT(p) AS p, SUM(p) AS sum, AVG(q) AS avg, MIN(q) AS min, MAX(p) AS max";
        final Aggregation first = Rows.aggregation(select, "s");
        final Aggregation second = Rows.aggregation(select, "s");
        final Aggregation together = Rows.aggregation(select, "s");
        Stream.of(IBM, GE).forEach(each -> Rows.add(first, each));
        Stream.of(IBM_LATER, GE, "{\"s\":\"X\"}").forEach(each -> Rows.add(second, each));
        Stream.of(IBM, GE, IBM_LATER, GE, "{\"s\":\"X\"}").forEach(each -> Rows.add(together, each));
        assertThat(first.merge(second)).isTrue();
        assertThat(Rows.all(first)).isEqualTo(Rows.all(together));
        assertThat(Rows.all(second)).hasSize(3);
        Rows.remove(first, IBM_LATER);
        Rows.remove(together, IBM_LATER);
        assertThat(Rows.all(first)).isEqualTo(Rows.all(together));
    }

    @Test
    void shouldChangeNothingWhenAMergeHasTooManyGroups() {
        final Aggregation first = new Aggregation(Rows.list("s, COUNT(*) AS n", "s"), Rows.JSON, 2);
        final Aggregation second = new Aggregation(Rows.list("s, COUNT(*) AS n", "s"), Rows.JSON, 2);
        Stream.of(IBM, GE).forEach(each -> Rows.add(first, each));
        Stream.of(IBM, "{\"s\":\"X\"}").forEach(each -> Rows.add(second, each));
        assertThat(first.merge(second)).isFalse();
        assertThat(Rows.all(first)).containsExactly("{\"s\":\"IBM\",\"n\":1}", "{\"s\":\"GE\",\"n\":1}");
    }

    @Test
    void shouldRefuseToMergeWhatIsNotAlike() {
        final Aggregation first = Rows.aggregation("COUNT(*)", "");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> first.merge(Rows.aggregation("SUM(q)", "")))
                .withMessage("aggregation: cannot be merged: SUM(q) (make both alike)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> first.merge(Aggregation.scan(Rows.list("COUNT(*)", ""), Rows.JSON, 1)));
        assertThatIllegalArgumentException().isThrownBy(() -> first.merge(first));
    }

    @Test
    void shouldThrowWhenAMessageIsRemovedThatWasNotAdded() {
        final Aggregation aggregation = Rows.aggregation("s, MAX(q)", "s");
        assertThatIllegalStateException().isThrownBy(() -> Rows.remove(aggregation, IBM));
        Rows.add(aggregation, IBM);
        assertThatIllegalStateException()
                .isThrownBy(() -> Rows.remove(aggregation, IBM_LATER))
                .withMessage("aggregation: removed a message that was not added");
    }

    @Test
    void shouldThrowWhenAMessageIsRemovedFromAScan() {
        final Aggregation scan = Aggregation.scan(Rows.list("COUNT(*)", ""), Rows.JSON, 1);
        Rows.add(scan, IBM);
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> Rows.remove(scan, IBM));
    }

    @Test
    void shouldRefuseWhatItCannotBeMadeOf() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rows.aggregation("price", ""))
                .withMessage("aggregation: has no aggregates: price (use a Projection)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Aggregation(Rows.list("COUNT(*)", ""), Rows.JSON, 0))
                .withMessage("aggregation.groupCountMax: not positive: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Aggregation(Rows.list("COUNT(*)", ""), new BinaryFormat(), 1))
                .withMessage("select: messages have no fields to write: binary");
    }
}
