package io.penstock.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackoffTest {
    @Test
    void shouldDoubleUpToTheLimitWithHalfOfItAtRandom() {
        for (long seed = 1; seed < 100; seed++) {
            final Backoff backoff = new Backoff(100, 1_000, seed);
            assertThat(backoff.delayNs(1)).as("seed %d", seed).isBetween(50L, 100L);
            assertThat(backoff.delayNs(2)).as("seed %d", seed).isBetween(100L, 200L);
            assertThat(backoff.delayNs(4)).as("seed %d", seed).isBetween(400L, 800L);
            assertThat(backoff.delayNs(5)).as("seed %d", seed).isBetween(500L, 1_000L);
            assertThat(backoff.delayNs(Integer.MAX_VALUE)).as("seed %d", seed).isBetween(500L, 1_000L);
        }
    }

    @Test
    void shouldDifferFromClientToClient() {
        assertThat(new Backoff(1_000_000, 1_000_000, 1).delayNs(1))
                .isNotEqualTo(new Backoff(1_000_000, 1_000_000, 2).delayNs(1));
    }
}
