package io.penstock.standalone.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AnsweringProcessTest {
    private static final byte[] INPUT = "a\nb".getBytes(UTF_8);

    private static AnsweringProcess.Answer run(final String script, final Duration timeout) {
        return AnsweringProcess.run(List.of("sh", "-c", script), INPUT, timeout);
    }

    @Test
    void shouldTakeEveryByteThatIsPrinted() {
        final AnsweringProcess.Answer answer = run("cat; printf '\\000\\377'", Duration.ofSeconds(30));

        assertThat(answer.error()).isEmpty();
        assertThat(answer.bytes()).containsExactly('a', '\n', 'b', 0, 0xFF);
    }

    @Test
    void shouldSayHowItFailedAndTakeWhatWasPrinted() {
        final AnsweringProcess.Answer answer = run("printf half; exit 3", Duration.ofSeconds(30));

        assertThat(answer.error()).isEqualTo("exit code 3");
        assertThat(new String(answer.bytes(), UTF_8)).isEqualTo("half");
    }

    @Test
    void shouldBeEndedWhenItTakesTooLong() {
        assertThat(run("sleep 1000 & sleep 1000", Duration.ofSeconds(1)).error())
                .isEqualTo("took longer than 1 s");
    }

    @Test
    void shouldBeEndedWhenItPrintsTooMuch() {
        final AnsweringProcess.Answer answer = run("cat /dev/zero", Duration.ofSeconds(50));

        assertThat(answer.error()).isEqualTo("printed more than 16777216 bytes");
        assertThat(answer.bytes()).hasSize(16_777_216);
    }

    @Test
    void shouldSayWhyWhenItCannotBeRun() {
        assertThat(AnsweringProcess.run(List.of("no-such-program"), INPUT, Duration.ofSeconds(1))
                        .error())
                .startsWith("cannot be run: ")
                .contains("no-such-program");
    }
}
