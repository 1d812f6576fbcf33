package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LogTextTest {
    @Test
    void shouldShowWhatIsNoTextByItsCodeWhenItIsLogged() {
        Map.of(
                        "plain Käse 😀",
                        "plain Käse 😀",
                        "a\nERROR b",
                        "a\\u000aERROR b",
                        "a\r\tb",
                        "a\\u000d\\u0009b",
                        (char) 27 + "[31m",
                        "\\u001b[31m",
                        "a" + (char) 0x2028 + "b",
                        "a\\u2028b",
                        "a" + (char) 0x85 + "b",
                        "a\\u0085b",
                        "a" + (char) 0x202e + "b",
                        "a\\u202eb",
                        "a" + (char) 0xd83d,
                        "a\\ud83d")
                .forEach((text, shown) -> assertThat(LogText.of(text)).isEqualTo(shown));
    }

    @Test
    void shouldCutWhatIsTooLong() {
        assertThat(LogText.of("x".repeat(10_000))).hasSize(LogText.LENGTH_MAX).endsWith("x…");
        assertThat(LogText.of("\n".repeat(10_000)))
                .hasSizeLessThanOrEqualTo(LogText.LENGTH_MAX)
                .endsWith("…");
    }

    @Test
    void shouldSayClassAndMessageInOneLineOfWhatWasThrown() {
        assertThat(LogText.of(new IllegalStateException("a\nb")))
                .isEqualTo("java.lang.IllegalStateException: a\\u000ab");
    }
}
