package io.penstock.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Among the formats that are found here are one without a class and one that cannot be made. */
final class MessageFormatsTest {
    @Test
    void shouldFindFormatByName() {
        assertThat(MessageFormats.formatFor("json").name()).isEqualTo("json");
        assertThat(MessageFormats.formatFor("binary").name()).isEqualTo("binary");
        assertThat(MessageFormats.find("json")).isSameAs(MessageFormats.formatFor("json"));
    }

    @Test
    void shouldNameTheKnownFormatsWhenThereIsNone() {
        assertThat(MessageFormats.find("xml")).isNull();
        assertThatThrownBy(() -> MessageFormats.formatFor("xml"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("format: not known: xml (use one of [binary, json])");
    }

    @Test
    void shouldSayWhyWhenOneCannotBeLoaded() {
        assertThat(MessageFormats.names()).containsExactly("binary", "json");
        assertThatThrownBy(() -> MessageFormats.formatFor("broken"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("; one could not be loaded: ")
                .hasMessageContaining("io.penstock.format.BrokenFormat")
                .hasMessageContaining("io.penstock.format.MissingFormat")
                .satisfies(refusal -> assertThat(refusal.getSuppressed()).hasSize(2));
    }
}
