package io.penstock.spring.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.header.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailedMessagesTest {
    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "a\ud83d", "\ude00b", "\u0000", "", "plain", "a\ud83d\ude00b"})
    void shouldMakeATextThatHeadersTakeWhenAnExceptionSaysAnything(final String text) {
        final String made = FailedMessages.cut(text);

        assertThat(Headers.of("text", made).text("text")).isEqualTo(made);
        assertThat(made.codePointCount(0, made.length())).isEqualTo(text.codePointCount(0, text.length()));
    }

    @Test
    void shouldCutBetweenCharactersWhenATextIsTooLong() {
        final String made = FailedMessages.cut("\ud83d\ude00".repeat(1000));

        assertThat(made).hasSizeLessThanOrEqualTo(1024).endsWith("\ud83d\ude00\u2026");
        assertThat(Headers.of("text", made).text("text")).isEqualTo(made);
        assertThat(FailedMessages.cut("x".repeat(1023))).hasSize(1023).doesNotContain("\u2026");
    }
}
