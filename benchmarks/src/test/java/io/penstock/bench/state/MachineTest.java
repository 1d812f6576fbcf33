package io.penstock.bench.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTest {
    @Test
    void shouldTakeTheFirstClockWhenThereAreSome() {
        assertThat(Machine.ghz("model name\t: x\ncpu MHz\t\t: 2300.000\nflags: a\ncpu MHz\t\t: 1200.5\n"))
                .isEqualTo(2.3);
    }

    @Test
    void shouldKnowNoClockWhenThereIsNone() {
        assertThat(Machine.ghz("Processor: some ARM\n")).isNaN();
    }
}
