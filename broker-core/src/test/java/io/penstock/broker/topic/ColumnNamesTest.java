package io.penstock.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.format.FieldPath;
import io.penstock.format.MessageFormats;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnNamesTest {
    private static final String MANY = IntStream.rangeClosed(0, ColumnNames.COUNT_MAX)
            .mapToObj(i -> "f" + i)
            .collect(Collectors.joining(","));

    @Test
    void shouldKeepTheOrder() {
        assertThat(ColumnNames.parse("price, /order/id,\"odd name\"", MessageFormats.formatFor("json")))
                .extracting(FieldPath::toString)
                .containsExactly("/price", "/order/id", "/odd name");
        assertThat(ColumnNames.parse(" ", MessageFormats.formatFor("binary"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "json   | a, a            | named twice: /a",
                "json   | a, HEADER('h')  | headers have no columns: HEADER('h')",
                "json   | a,              | columns: expected",
                "json   | a b             | columns: expected a comma or the end",
                "binary | a               | columns: format binary has no fields: a"
            })
    void shouldSayWhatIsWrong(final String format, final String text, final String reason) {
        assertThatThrownBy(() -> ColumnNames.parse(text, MessageFormats.formatFor(format)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void shouldRefuseTooMany() {
        assertThatThrownBy(() -> ColumnNames.parse(MANY, MessageFormats.formatFor("json")))
                .hasMessage("columns: too many fields: 33 (name at most 32)");
    }
}
