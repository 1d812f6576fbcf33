package io.penstock.standalone.bench.orb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RisingTest {
    private final Rising rising = new Rising();

    @Test
    void shouldGoOnWhileItGetsFaster() {
        for (int speed = 100; speed < 1_000; speed += 100) {
            rising.add(speed);
            assertThat(rising.isOver()).isFalse();
        }
    }

    @Test
    void shouldEndWhenTwoPassesAreNoFaster() {
        add(100, 200, 300, 310);
        assertThat(rising.isOver()).isFalse();
        add(290);
        assertThat(rising.isOver()).isTrue();
    }

    @Test
    void shouldGoOnAfterASlowPass() {
        add(100, 200, 100, 400);
        assertThat(rising.isOver()).isFalse();
    }

    @Test
    void shouldTakeFourPassesAtLeast() {
        add(100, 100, 100);
        assertThat(rising.isOver()).isFalse();
        add(100);
        assertThat(rising.isOver()).isTrue();
    }

    private void add(final double... speeds) {
        for (final double each : speeds) {
            rising.add(each);
        }
    }
}
