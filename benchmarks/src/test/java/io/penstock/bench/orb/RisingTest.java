package io.penstock.bench.orb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RisingTest {
    private final Rising rising = new Rising(0, Long.MAX_VALUE);

    @Test
    void shouldGoOnWhileItGetsFaster() {
        for (int speed = 100; speed < 1_000; speed += 100) {
            rising.add(speed);
            assertThat(rising.isOver(0)).isFalse();
        }
    }

    @Test
    void shouldEndWhenTwoPassesAreNoFaster() {
        add(100, 200, 300, 310);
        assertThat(rising.isOver(0)).isFalse();
        add(290);
        assertThat(rising.isOver(0)).isTrue();
    }

    @Test
    void shouldGoOnAfterASlowPass() {
        add(100, 200, 100, 400);
        assertThat(rising.isOver(0)).isFalse();
    }

    @Test
    void shouldTakeFourPassesAtLeast() {
        add(100, 100, 100);
        assertThat(rising.isOver(0)).isFalse();
        add(100);
        assertThat(rising.isOver(0)).isTrue();
    }

    @Test
    void shouldGoOnWhileItCreeps() {
        for (double speed = 100; speed < 1_000; speed *= 1.04) {
            rising.add(speed);
            assertThat(rising.isOver(0)).isFalse();
        }
    }

    @Test
    void shouldKeepToItsTimes() {
        final Rising timed = new Rising(5_000, 15_000);
        timed.add(100);
        assertThat(timed.isOver(14_999)).isFalse();
        assertThat(timed.isOver(15_000)).isTrue();
        for (int i = 0; i < 5; i++) {
            timed.add(100);
        }
        assertThat(timed.isOver(4_999)).isFalse();
        assertThat(timed.isOver(5_000)).isTrue();
    }

    private void add(final double... speeds) {
        for (final double each : speeds) {
            rising.add(each);
        }
    }
}
