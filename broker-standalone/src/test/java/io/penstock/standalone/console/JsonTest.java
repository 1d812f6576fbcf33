package io.penstock.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void shouldWriteOneLineWhenFieldsAreOfAllKinds() {
        final String text = new Json()
                .field("text", "a\"b\n")
                .field("whole", 12L)
                .field("rounded", 1.23456)
                .field("even", 100.0)
                .field("large", 1e9)
                .field("none", Double.NaN)
                .object("nested", new Json().field("x", 1L))
                .end();

        assertThat(text)
                .isEqualTo("{\"text\":\"a\\\"b\\n\",\"whole\":12,\"rounded\":1.235,\"even\":100,\"large\":1000000000,"
                        + "\"none\":null,\"nested\":{\"x\":1}}");
    }
}
