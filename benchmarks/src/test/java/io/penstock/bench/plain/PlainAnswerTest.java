package io.penstock.bench.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bench.BenchRun;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PlainAnswerTest {
    @Test
    void shouldTellNumbersFromTheListWhenRead() {
        final PlainAnswer answer = PlainAnswer.of("{\"count\":3,\"values\":[1,2.5,-7],\"wall_ns\":12,\"cpu_ns\":0}");

        assertThat(answer.number("count")).isEqualTo(3);
        assertThat(answer.values()).containsExactly(1.0, 2.5, -7.0);
        assertThat(answer.wallNs()).isEqualTo(12);
        assertThat(answer.cpuNs()).as("never divided by nothing").isEqualTo(1);
        assertThatThrownBy(() -> answer.number("ghz")).isInstanceOf(CommandFailure.class);
    }

    @Test
    void shouldFailWhenItIsNoJson() {
        assertThatThrownBy(() -> PlainAnswer.of("no memory")).isInstanceOf(CommandFailure.class);
    }

    @Test
    void shouldFailWhenAProgramEndsInPlaceOfAnAnswer() throws IOException {
        BenchRun.assumePlainLoops();
        try (PlainProgram program = PlainProgram.start(PlainProgram.STATE)) {
            assertThatThrownBy(() -> program.ask("sort")).isInstanceOf(CommandFailure.class);
        }
    }

    @Test
    void shouldMeasureTheSameClockWhenAskedTwice() throws IOException {
        BenchRun.assumePlainLoops();
        try (PlainProgram state = PlainProgram.start(PlainProgram.STATE);
                PlainProgram match = PlainProgram.start(PlainProgram.MATCH)) {
            final double ghz = state.clockGhz();

            // Clocks rise and fall, but not to ten times.
            assertThat(ghz).isBetween(0.1, 10.0);
            assertThat(match.clockGhz() / ghz).isBetween(0.1, 10.0);
        }
    }
}
