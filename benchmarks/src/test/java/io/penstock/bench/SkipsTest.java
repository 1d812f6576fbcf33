package io.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SkipsTest {
    @Test
    void shouldAgreeWithCountingWhenMatchesAreRandom() {
        final long seed = Long.getLong("penstock.seed", 7);
        final Random random = new Random(seed);
        for (int run = 0; run < 200; run++) {
            final boolean[] matches = new boolean[1 + random.nextInt(12)];
            boolean hasMatch = false;
            for (int i = 0; i < matches.length; i++) {
                matches[i] = random.nextInt(3) == 0;
                hasMatch |= matches[i];
            }
            if (hasMatch) {
                check(seed, matches);
            }
        }
    }

    private static void check(final long seed, final boolean[] matches) {
        final Skips skips = new Skips(matches);
        long next = skips.first();
        long count = 0;
        for (int number = 0; number < 5 * matches.length; number++) {
            assertThat(skips.matchesBelow(number)).as("seed %d", seed).isEqualTo(count);
            if (matches[number % matches.length]) {
                assertThat(next).as("seed %d", seed).isEqualTo(number);
                next = skips.after(number);
                count++;
            }
        }
    }

    @Test
    void shouldNeverHoldThePublisherBackWhenNothingMatches() {
        final Skips skips = new Skips(new boolean[5]);

        assertThat(skips.first()).isEqualTo(Long.MAX_VALUE);
        assertThat(skips.matchesBelow(1_000)).isZero();
    }
}
