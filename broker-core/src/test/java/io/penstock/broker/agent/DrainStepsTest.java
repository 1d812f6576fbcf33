package io.penstock.broker.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DrainStepsTest {
    private final DrainSteps steps = new DrainSteps();

    @Test
    void shouldHaveNothingToDoBeforeItIsAsked() {
        assertThat(steps.due()).isZero();
        assertThat(steps.isDone(1)).isFalse();
    }

    @Test
    void shouldBeDueUntilItIsDone() {
        assertThat(steps.ask(1)).isTrue();
        assertThat(steps.due()).isEqualTo(1);
        assertThat(steps.due()).isEqualTo(1);
        steps.onDone(1);
        assertThat(steps.due()).isZero();
        assertThat(steps.isDone(1)).isTrue();
        assertThat(steps.isDone(2)).isFalse();
    }

    @Test
    void shouldTakeEachStepOnce() {
        assertThat(steps.ask(1)).isTrue();
        assertThat(steps.ask(1)).isFalse();
        steps.onDone(1);
        assertThat(steps.ask(2)).isTrue();
        assertThat(steps.ask(1)).isFalse();
        assertThat(steps.due()).isEqualTo(2);
    }
}
