package io.penstock.nativeaccess.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignaturesTest {
    @Test
    void shouldReadFunctionsAndConstantsWhenTheListIsRight() {
        final Signatures signatures = Signatures.parse(List.of(
                "# A comment.",
                "",
                "int64 memory_map(int32 fd, int64 length_max) - Maps",
                "    memory.",
                "constant SOME_FLAG 4 - A flag.",
                "int32 version() - The version."));

        assertThat(signatures.functions()).hasSize(2);
        final Signatures.Function map = signatures.functions().get(0);
        assertThat(map.result()).isEqualTo(Signatures.Type.INT64);
        assertThat(map.cName()).isEqualTo("penstock_memory_map");
        assertThat(map.javaName()).isEqualTo("memoryMap");
        assertThat(map.text()).isEqualTo("Maps memory.");
        assertThat(map.parameters())
                .extracting(each -> each.type() + " " + each.javaName())
                .containsExactly("INT32 fd", "INT64 lengthMax");
        assertThat(signatures.functions().get(1).parameters()).isEmpty();
        assertThat(signatures.constants()).containsExactly(new Signatures.Constant("SOME_FLAG", 4, "A flag."));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "int16 f() - Text.                 | signatures.txt:2: neither a function nor a constant: int16 f() - Text.",
                "int32 f()                         | signatures.txt:2: neither a function nor a constant: int32 f()",
                "int32 F() - Text.                 | signatures.txt:2: neither a function nor a constant: int32 F() - Text.",
                "int32 f(int64) - Text.            | signatures.txt:2: not a parameter: int64 (use for example int64 address)",
                "int32 f(char a) - Text.           | signatures.txt:2: not a parameter: char a (use for example int64 address)",
                "int32 first(int32 a) - Text.      | signatures.txt:2: named twice: first",
                "constant A -1 - Text.             | signatures.txt:2: neither a function nor a constant: constant A -1 - Text.",
            })
    void shouldNameTheLineWhenItIsWrong(final String line, final String message) {
        assertThatThrownBy(() -> Signatures.parse(List.of("int32 first() - Text.", line)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({
        "int64 f(int32 a) - Text.",
        "int32 f(int64 a) - Text.",
        "int32 f(int32 b) - Text.",
        "int32 g(int32 a) - Text.",
        "constant F 1 - Text.",
    })
    void shouldHaveAnotherVersionWhenASignatureIsAnotherOne(final String other) {
        final int version = version("int32 f(int32 a) - Text.");

        assertThat(version(other)).isNotEqualTo(version);
        assertThat(version("int32 f(int32 a) - Another text."))
                .isEqualTo(version)
                .isNotNegative();
    }

    private static int version(final String line) {
        return Signatures.parse(List.of(line)).version();
    }
}
