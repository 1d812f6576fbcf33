package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OrderByTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    price                        | /price
                    price asc                    | /price
                    price ASC NULLS LAST         | /price
                    price NULLS FIRST            | /price NULLS FIRST
                    price DESC                   | /price DESC
                    price desc nulls first       | /price DESC
                    price DESC NULLS LAST        | /price DESC NULLS LAST
                    ` a ,\tb DESC , /c/d[0] `    | /a, /b DESC, /c/d[0]
                    [/odd name] DESC, "a.b"      | /"odd name" DESC, /"a.b"
                    desc DESC                    | /desc DESC
                    a, a DESC                    | /a, /a DESC
                    """)
    void shouldHaveOneTextForTheSameOrder(final String text, final String canonical) {
        final OrderBy order = OrderBy.parse(text);
        assertThat(order.text()).isEqualTo(canonical);
        assertThat(OrderBy.parse(canonical)).isEqualTo(order).hasSameHashCodeAs(order);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    ``               | order_by: expected a field's name at 1:
                    `a,`             | order_by: expected a field's name at 3: a,
                    a DOWN           | order_by: expected ASC, DESC, NULLS, a comma or the end at 3: a D
                    a ASC DESC       | order_by: expected ASC, DESC, NULLS, a comma or the end at 7: a ASC D
                    a NULLS          | order_by: expected FIRST or LAST at 8: a NULLS
                    a NULLS DESC     | order_by: expected FIRST or LAST at 9: a NULLS D
                    1                | order_by: expected a field's name at 1: 1
                    """)
    void shouldSayWhatIsWrongWhenRefused(final String text, final String mistake) {
        assertThatThrownBy(() -> OrderBy.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .isEqualToNormalizingWhitespace(mistake);
    }

    @Test
    void shouldRefuseMoreFieldsThanTheLimit() {
        final String most = "a, ".repeat(OrderBy.FIELD_COUNT_MAX - 1) + "b";
        assertThat(OrderBy.parse(most).fields().count()).isEqualTo(2);
        assertThatThrownBy(() -> OrderBy.parse(most + ", c")).hasMessageContaining("no more than 16 fields");
    }
}
