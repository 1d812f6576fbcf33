package io.penstock.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {
    private final Table table = new Table();

    @Test
    void shouldAlignNumbersToTheRightWhenAllOfAColumnAreNumbers() {
        table.add("{\"origin\":\"JFK\",\"n\":7,\"mixed\":1}");
        table.add("{\"origin\":\"ORD\",\"n\":1200,\"mixed\":\"b\"}");

        assertThat(table.lines()).containsExactly("ORIGIN     N  MIXED", "JFK        7  1", "ORD     1200  b");
    }

    @Test
    void shouldShowEveryFieldWhenRowsHaveDifferentOnes() {
        table.add("{\"a\":1}");
        table.add("{\"b\":\"x\",\"c\":{\"d\":[1,null]}}");
        table.add("{\"a\":null}");

        assertThat(table.lines()).containsExactly("A  B  C", "1", "   x  {\"d\":[1,null]}", "");
        assertThat(table.rowCount()).isEqualTo(3);
    }

    @Test
    void shouldRoundToWhatPeopleReadWhenNumbersHaveDecimals() {
        table.add("{\"v\":12.333333333333334}");
        table.add("{\"v\":1234567.256}");
        table.add("{\"v\":0.000123456789}");
        table.add("{\"v\":-0.50}");
        table.add("{\"v\":0.0}");
        table.add("{\"v\":1.0E15}");

        assertThat(table.lines().stream().map(String::strip))
                .containsExactly("V", "12.3333", "1234567.26", "0.000123457", "-0.5", "0", "1000000000000000");
    }

    @Test
    void shouldShowTheTextItselfWhenItIsNoObject() {
        table.add("not json");
        table.add("{\"a\":1");
        table.add("[1]");

        assertThat(table.lines()).containsExactly("MESSAGE", "not json", "{\"a\":1", "[1]");
    }

    @Test
    void shouldCutLongCellsAndControlCharactersWhenDrawn() {
        table.add("{\"a\":\"" + "x".repeat(100) + "\",\"b\":\"\\u001b[31m\"}");

        assertThat(table.lines().get(1)).isEqualTo("x".repeat(59) + "…   [31m");
    }

    @Test
    void shouldBeNothingWhenThereAreNoRows() {
        assertThat(table.lines()).isEmpty();
    }
}
