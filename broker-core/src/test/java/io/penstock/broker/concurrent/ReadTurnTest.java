package io.penstock.broker.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadTurnTest {
    private static final int COUNT_MAX = 1024;

    private final ReadTurn turn = new ReadTurn(COUNT_MAX);

    /** Reads from an endless backlog. Returns how long that took. */
    private long read(final long messageNs) {
        long nowNs = 1_000;
        turn.begin(nowNs);
        do {
            nowNs += turn.step() * messageNs;
        } while (turn.onStep(turn.step()) && turn.hasTime(nowNs));
        return nowNs - 1_000;
    }

    @Test
    void shouldReadUpToTheLimitWhatTakesLittle() {
        assertThat(read(100)).isEqualTo(COUNT_MAX * 100);
        assertThat(turn.count()).isEqualTo(COUNT_MAX);
    }

    @Test
    void shouldTakeShorterStepsWhenMessagesTakeLong() {
        for (int i = 0; i < 10; i++) {
            read(8_000);
        }
        assertThat(read(8_000)).isLessThan(500_000);
        assertThat(turn.count()).isLessThan(64);
    }

    @Test
    void shouldTakeLongStepsAgain() {
        for (int i = 0; i < 10; i++) {
            read(8_000);
        }
        for (int i = 0; i < 10; i++) {
            read(100);
        }
        assertThat(turn.step()).isEqualTo(128);
    }

    @Test
    void shouldEndWhenThereIsNoMore() {
        turn.begin(0);
        assertThat(turn.onStep(turn.step() - 1)).isFalse();
        assertThat(turn.count()).isEqualTo(127);
        turn.begin(0);
        assertThat(turn.onStep(0)).isFalse();
        assertThat(turn.count()).isZero();
    }
}
