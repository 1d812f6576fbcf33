package io.penstock.standalone.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.standalone.CommandFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementTest {
    @Test
    void shouldTakeEachPartWhenAllAreThere() {
        assertThat(Statement.parse("select a, COUNT(*) AS n from orders where x = 'from where' and f(limit, 2) > 1\n"
                        + " group by a having n > 1 order  by n desc limit 5 offset 2 ;"))
                .isEqualTo(new Statement(
                        "orders",
                        "a, COUNT(*) AS n",
                        "x = 'from where' and f(limit, 2) > 1",
                        "a",
                        "n > 1",
                        "n desc",
                        5,
                        2));
    }

    @Test
    void shouldAskForWholeRecordsWhenOnlyTheTopicIsNamed() {
        final Statement all = new Statement("orders", "", "", "", "", "", -1, 0);

        assertThat(Statement.parse("FROM orders")).isEqualTo(all);
        assertThat(Statement.parse("SELECT * FROM \"orders\"")).isEqualTo(all);
        assertThat(Statement.parse("from \"order by\"").topic()).isEqualTo("order by");
    }

    @Test
    void shouldKeepTextsWhenTheyHoldWordsAndQuotes() {
        assertThat(Statement.parse("FROM t WHERE a = 'it''s  FROM' ORDER BY \"group\"")
                        .filter())
                .isEqualTo("a = 'it''s  FROM'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT a | names no topic",
                "orders | does not begin with SELECT or FROM: orders",
                "FROM a b | not one topic: a b",
                "FROM | nothing after FROM",
                "FROM t WHERE | nothing after WHERE",
                "WHERE a FROM t | FROM after WHERE",
                "FROM t FROM u | FROM after FROM",
                "FROM t GROUP a | no fields after GROUP BY: a",
                "FROM t LIMIT x | LIMIT: not a number: x",
                "FROM t LIMIT -1 | LIMIT: not a number: -1",
                "FROM t LIMIT 99999999999 | LIMIT: not a number",
                "FROM t WHERE a = \"b | a text begins and does not end: \"b"
            })
    void shouldSayWhatIsWrongWhenItIsNoQuery(final String text, final String wrong) {
        assertThatThrownBy(() -> Statement.parse(text))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(wrong)
                .hasMessageStartingWith("query: ");
    }
}
