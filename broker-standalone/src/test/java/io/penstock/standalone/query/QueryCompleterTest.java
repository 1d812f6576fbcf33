package io.penstock.standalone.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class QueryCompleterTest {
    private final QueryCompleter completer = new QueryCompleter(
            () -> List.of("orders", "quotes"),
            topic -> topic.equals("orders") ? List.of("id", "/leg/price") : List.of());

    @Test
    void shouldOfferTopicsWhenAfterFrom() {
        assertThat(completer.words(List.of("select", "*", "from", "o"), 3)).containsExactly("orders", "quotes");
        assertThat(completer.words(List.of(".fields", ""), 1)).containsExactly("orders", "quotes");
    }

    @Test
    void shouldOfferFieldsOfTheTopicAndWordsWhenElsewhere() {
        assertThat(completer.words(List.of("FROM", "orders", "WHERE", ""), 3)).contains("id", "/leg/price", "ORDER BY");
        assertThat(completer.words(List.of("SELECT", ""), 1))
                .as("of the line before")
                .contains("id");
        assertThat(completer.words(List.of("FROM", "quotes", "WHERE", ""), 3)).doesNotContain("id");
    }

    @Test
    void shouldOfferWhatALineBeginsWithWhenAtItsStart() {
        assertThat(completer.words(List.of(""), 0)).contains("SELECT", "FROM", ".topics", ".quit");
        assertThat(completer.words(List.of(".format", ""), 1)).containsExactly("table", "json", "csv");
        assertThat(completer.words(List.of(".quit", ""), 1)).isEmpty();
    }
}
