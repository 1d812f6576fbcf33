package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldPathParser;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Selections write paths as filters do. */
class FieldPathSyntaxTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "id",
                "/id",
                "größe$_1",
                "\"odd name\"",
                "\"say \"\"so\"\"\"",
                "\"a\"/b/\"c d\"[3]",
                "/order/legs[0]/@price",
                "/ns:order/35",
                "data[7]",
                "\"data\"[7]",
                "[/Not A Name/data[0]/x y]",
                "/null/and"
            })
    void shouldReadThePathThatFiltersDo(final String text) {
        final FieldPath path = FieldSelection.parse(text).paths().get(0);
        assertThat(path).isEqualTo(filtered(text));
        assertThat(filtered(FieldPathParser.textOf(path))).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a.b", "/", "/a/", "\"\"", "\"a", "a[", "a[-1]", "a[1][2]", "[a]", "[/a", "[//a]", "@a"})
    void shouldRefuseWhatFiltersDo(final String text) {
        assertThatThrownBy(() -> FieldSelection.parse(text)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> filtered(text)).isInstanceOf(FilterException.class);
    }

    private static FieldPath filtered(final String text) {
        final FieldSet fields = new FieldSet();
        FilterCompiler.compile(text + " IS NULL", fields, FilterLimits.DEFAULTS);
        return fields.path(0);
    }
}
