package io.penstock.broker.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTextTest {
    @Test
    void shouldStandAsItIsWhenAWord() {
        assertThat(text("tcp://127.0.0.1:4711")).isEqualTo(" k=tcp://127.0.0.1:4711");
        assertThat(text(7)).isEqualTo(" k=7");
        assertThat(text("")).isEqualTo(" k=\"\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\nb",
                "a\rb",
                "a\tb",
                "a b",
                "a=b",
                "a\"b",
                "a\\b",
                "a\u001b[2Jb",
                "a\u0085b",
                "a\u2028b",
                "a\u202eb"
            })
    void shouldBeOneQuotedTextOfOneLineWhenThereIsMore(final String value) {
        assertThat(text(value))
                .startsWith(" k=\"a")
                .endsWith("b\"")
                .doesNotContainPattern("[\\p{Cntrl}\\u0085\\u2028\\u202e]")
                .matches(" k=\"a( |=|\\\\[nrt\"\\\\]|\\\\u[0-9a-f]{4}(\\[2J)?)b\"");
    }

    @Test
    void shouldLookLikeNoOtherPairWhenAPeerWantsItTo() {
        assertThat(text("x\" user=\"root")).isEqualTo(" k=\"x\\\" user=\\\"root\"");
    }

    @Test
    void shouldBeCutWhenTooLong() {
        assertThat(text("x".repeat(100_000))).isEqualTo(" k=\"" + "x".repeat(EventText.LENGTH_MAX) + "...\"");
    }

    @Test
    void shouldEscapeHalfOfACharacter() {
        assertThat(text("\ud800")).isEqualTo(" k=\"\\ud800\"");
        assertThat(text("\ud83d\ude00")).isEqualTo(" k=\"\ud83d\ude00\"");
    }

    private static String text(final Object value) {
        final StringBuilder to = new StringBuilder();
        EventText.append(to, Map.of("k", value));
        return to.toString();
    }
}
