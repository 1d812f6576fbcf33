package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of expressions over one message, their types, and what is refused. */
class ExpressionTest {
    private static final String MESSAGE =
            "{\"i\":7,\"d\":2.5,\"whole\":2.0,\"t\":\"a\\u00fc\",\"yes\":true,\"no\":null,"
                    + "\"list\":[\"x\",2],\"empty\":[],\"object\":{\"in\":3},\"huge\":1e999,\"least\":-9223372036854775808}";

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            i                          ~ LONG 7
            d                          ~ DOUBLE 2.5
            whole                      ~ DOUBLE 2.0
            t                          ~ TEXT aü
            yes                        ~ BOOLEAN true
            no                         ~ NULL
            gone                       ~ NULL
            list                       ~ TEXT x
            list[1]                    ~ LONG 2
            empty                      ~ NULL
            object                     ~ NULL
            /object/in                 ~ LONG 3
            huge                       ~ NULL
            1e308 * 10                 ~ NULL
            -1e308 * i                 ~ NULL
            i / 0                      ~ NULL
            i / 2                      ~ DOUBLE 3.5
            (i + 1) / 2                ~ LONG 4
            -least                     ~ DOUBLE 9.223372036854776E18
            i * d + 1                  ~ DOUBLE 18.5
            i % 4                      ~ LONG 3
            t || '!'                   ~ TEXT aü!
            UPPER(t)                   ~ TEXT AÜ
            COALESCE(no, gone, i)      ~ LONG 7
            COALESCE(object, i)        ~ NULL
            IF(yes, 'y', 'n')          ~ TEXT y
            i > 5                      ~ BOOLEAN true
            i > 5 AND d > 5            ~ BOOLEAN false
            NOT yes                    ~ BOOLEAN false
            no = 1                     ~ NULL
            no IS NULL                 ~ BOOLEAN true
            list = 'x'                 ~ BOOLEAN true
            t LIKE 'a_'                ~ BOOLEAN true
            5                          ~ LONG 5
            'five'                     ~ TEXT five
            TRUE                       ~ BOOLEAN true
            """)
    void shouldYieldTypeAndValueWhenEvaluated(final String text, final String expected) {
        final Expression expression = ExpressionCompiler.compile(text, new FieldSet(), FilterLimits.DEFAULTS);
        final FieldReader message = Filters.json(MESSAGE, expression.fields());
        expression.evaluate(message);
        assertThat(show(expression)).isEqualTo(expected);
        expression.evaluate(message);
        assertThat(show(expression)).isEqualTo(expected);
    }

    private static String show(final Expression value) {
        return switch (value.type()) {
            case NULL -> "NULL";
            case BOOLEAN -> "BOOLEAN " + value.booleanValue();
            case LONG -> "LONG " + value.longValue();
            case DOUBLE -> "DOUBLE " + value.doubleValue();
            case TEXT ->
                "TEXT " + value.textBuffer().getStringWithoutLengthUtf8(value.textOffset(), value.textLength());
        };
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            price >                    ~ expected a value at 8: price >
            price, qty                 ~ expected an operator or the end at 6: price,
            price AS p                 ~ expected an operator or the end at 7: price AS
            'a' * 2                    ~ expected a number at 1: 'a' * 2
            UNIX_TIMESTAMP()           ~ the current time is not known here at 1: UNIX_TIMESTAMP()
            """)
    void shouldSayWhereAndWhatWasExpectedWhenTextIsWrong(final String text, final String message) {
        assertThatExceptionOfType(FilterException.class)
                .isThrownBy(() -> ExpressionCompiler.compile(text, new FieldSet(), FilterLimits.DEFAULTS))
                .withMessage("expression: " + message);
    }

    @Test
    void shouldKnowNoAggregatesWhenItIsOfOneMessage() {
        assertThatExceptionOfType(FilterException.class)
                .isThrownBy(() -> ExpressionCompiler.compile("COUNT(*)", new FieldSet(), FilterLimits.DEFAULTS))
                .withMessageStartingWith("expression: no function of that name (there are ABS, CEIL");
    }

    @Test
    void shouldRefuseBlankTextAsItHasNoValue() {
        assertThatExceptionOfType(FilterException.class)
                .isThrownBy(() -> ExpressionCompiler.compile(" ", new FieldSet(), FilterLimits.DEFAULTS))
                .withMessageStartingWith("expression: expected a value at 2");
    }

    @Test
    void shouldHaveTheCanonicalTextWhenSpelledInAnotherWay() {
        final FieldSet fields = new FieldSet();
        final Expression expression = ExpressionCompiler.compile("( price+0x10 )*a", fields, FilterLimits.DEFAULTS);
        assertThat(expression.text()).isEqualTo("(price + 16) * a");
    }

    @Test
    void shouldRefuseWhenOnlyTheCanonicalFormExceedsALimit() {
        final FilterLimits limits = new FilterLimits(6, 100, 100, 100, 100);
        assertThatExceptionOfType(FilterException.class)
                .isThrownBy(() -> ExpressionCompiler.compile("a+0xFF", new FieldSet(), limits))
                .withMessage("expression: in its canonical form longer than 6 characters: 7");
    }

    @Test
    void shouldAddNoFieldsWhenRefused() {
        final FieldSet fields = new FieldSet();
        assertThatExceptionOfType(FilterException.class)
                .isThrownBy(() -> ExpressionCompiler.compile("a + b +", fields, FilterLimits.DEFAULTS));
        assertThat(fields.count()).isZero();
    }

    @Test
    void shouldTakeUntypedTextForANumberOnlyWhenItIsAnArgumentOfAnAggregate() {
        final SelectSyntax syntax = SelectSyntax.parse("MAX(price), MAX(side)", "price", FilterLimits.DEFAULTS);
        final FieldSet fields = new FieldSet();
        final Expression price = syntax.newArgument(0, fields);
        final Expression side = syntax.newArgument(1, fields);
        final Expression group = syntax.newGroup(0, fields);
        final FieldReader message = new UntypedTexts(fields, Map.of("price", "1.50", "side", "B"));
        price.evaluate(message);
        side.evaluate(message);
        group.evaluate(message);
        assertThat(show(price)).isEqualTo("DOUBLE 1.5");
        assertThat(show(side)).isEqualTo("TEXT B");
        assertThat(show(group)).isEqualTo("TEXT 1.50");
    }
}
