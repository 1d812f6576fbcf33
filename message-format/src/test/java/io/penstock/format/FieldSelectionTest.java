package io.penstock.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FieldSelectionTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    id                           | /id
                    /id                          | /id
                    "id"                         | /id
                    [/id]                        | /id
                    ` b ,\ta, /c/d `             | /a, /b, /c/d
                    [/odd name/data[0]], "a.b"   | /"a.b", /"odd name"/data[0]
                    "say ""so"                   | /"say ""so"
                    /@id/ns:name/35              | /@id/ns:name/35
                    order, type, null            | /null, /order, /type
                    größe                        | /größe
                    a, a, /a/b, /a[1]            | /a
                    /a/b, /a/bc                  | /a/b, /a/bc
                    a[0], a[1], /a[1]/b          | /a[0], /a[1]
                    """)
    void shouldHaveOneTextForTheSameFields(final String text, final String canonical) {
        final FieldSelection selection = FieldSelection.parse(text);
        assertThat(selection.text()).isEqualTo(canonical);
        assertThat(FieldSelection.parse(canonical)).isEqualTo(selection).hasSameHashCodeAs(selection);
        assertThat(FieldSelection.of(selection.paths())).isEqualTo(selection);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    ``            | select: expected a field's name at 1:
                    `a,`          | select: expected a field's name at 3: a,
                    a b           | select: expected a comma or the end at 3: a b
                    a.b           | select: a name has no dots (write /a/b for a field within a, or "a.b") at 2: a.
                    /a/           | select: expected a field's name at 4: /a/
                    "a            | select: expected the closing " of a name at 3: "a
                    a[            | select: expected an element's number and ] at 3: a[
                    a[x]          | select: expected an element's number and ] at 3: a[x
                    a[99999999999]| select: too large for an element's number at 3: a[99999999999
                    a[1][2]       | select: an array within an array has no elements to read at 5: a[1][
                    [a]           | select: expected a path, as in [/Not A Name], at 2: [a
                    [/a           | select: expected the closing ] of a path at 4: [/a
                    7             | select: expected a field's name at 1: 7
                    """)
    void shouldSayWhatIsWrongWhenRefused(final String text, final String mistake) {
        assertThatThrownBy(() -> FieldSelection.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .isEqualToNormalizingWhitespace(mistake);
    }

    @Test
    void shouldRefuseWhatIsBeyondTheLimits() {
        final String deep = "/a".repeat(FieldPathParser.STEP_COUNT_MAX);
        assertThat(FieldSelection.parse(deep).paths()).hasSize(1);
        assertThatThrownBy(() -> FieldSelection.parse(deep + "/a")).hasMessageContaining("more than 64 steps");
        final StringBuilder many = new StringBuilder("f0");
        for (int i = 1; i < FieldSelection.PATH_COUNT_MAX; i++) {
            many.append(", f").append(i);
        }
        assertThat(FieldSelection.parse(many.toString()).paths()).hasSize(FieldSelection.PATH_COUNT_MAX);
        assertThatThrownBy(() -> FieldSelection.parse(many + ", x")).hasMessageContaining("no more than 256 fields");
        assertThatThrownBy(() -> FieldSelection.parse("\"\ud83d\"")).hasMessageContaining("surrogate");
    }

    @Test
    void shouldHaveTheFieldsOfBothWhenUnited() {
        assertThat(FieldSelection.parse("c, a").union(FieldSelection.parse("b, /c/d")))
                .isEqualTo(FieldSelection.parse("a, b, c"));
        assertThat(FieldSelection.NONE.union(FieldSelection.parse("a"))).isEqualTo(FieldSelection.parse("a"));
        assertThat(FieldSelection.NONE.text()).isEmpty();
        assertThat(FieldSelection.of(List.of())).isEqualTo(FieldSelection.NONE);
    }
}
