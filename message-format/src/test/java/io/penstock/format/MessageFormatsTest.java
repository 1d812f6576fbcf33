package io.penstock.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class MessageFormatsTest {
    @Test
    void shouldFindFormatByName() {
        assertThat(MessageFormats.formatFor("json").name()).isEqualTo("json");
        assertThat(MessageFormats.formatFor("binary").name()).isEqualTo("binary");
    }

    @Test
    void shouldNameTheKnownFormatsWhenThereIsNone() {
        assertThatThrownBy(() -> MessageFormats.formatFor("xml"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("format: not known: xml (use one of [binary, json])");
    }
}
