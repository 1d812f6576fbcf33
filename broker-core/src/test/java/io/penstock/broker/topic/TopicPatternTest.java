package io.penstock.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicPatternTest {
    @ParameterizedTest
    @CsvSource({
        "orders, orders, true",
        "orders, orders.eu, false",
        "order, orders, false",
        "orders.*, orders.eu, true",
        "a|orders, orders, true",
        "a|orders, xa, false",
        "(?i)ORDERS, orders, true",
        "[^.]+\\.eu, orders.eu, true",
        "[^.]+\\.eu, a.b.eu, false",
        "é+, éé, true"
    })
    void shouldMatchWholeNames(final String pattern, final String name, final boolean expected) {
        assertThat(TopicPattern.regex(pattern).matches(name)).isEqualTo(expected);
    }

    @Test
    void shouldTakeLiteralNamesAsTheyAre() {
        assertThat(TopicPattern.literal("a.b").matches("a.b")).isTrue();
        assertThat(TopicPattern.literal("a.b").matches("axb")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "(", "a)|(b", "[z-a]", "(((a{30}){30}){30}){30}"})
    void shouldRefusePatternThatIsWrongOrCostsTooMuch(final String pattern) {
        assertThatThrownBy(() -> TopicPattern.regex(pattern))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("topic pattern: ");
    }
}
