package io.penstock.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ColourTest {
    @Test
    void shouldColourWhenWrittenToATerminal() {
        assertThat(Colour.RED.on("x", true, null)).isEqualTo("\033[31mx\033[0m");
        assertThat(Colour.RED.on("x", true, "")).isEqualTo("\033[31mx\033[0m");
    }

    @Test
    void shouldLeaveTheTextWhenNotATerminalOrNotWanted() {
        assertThat(Colour.RED.on("x", false, null)).isEqualTo("x");
        assertThat(Colour.RED.on("x", true, "1")).isEqualTo("x");
    }
}
