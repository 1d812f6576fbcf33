package io.penstock.orb.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SegmentPoolTest {
    private static final int KEPT_MAX = 64 * 1024;

    @Test
    void shouldKeepLittleWhenSegmentsOfAllLengthsAreGivenBack() {
        final SegmentPool pool = new SegmentPool(KEPT_MAX);
        for (int length = SegmentPool.LENGTH_MAX; length >= 4 * 1024; length /= 2) {
            for (int i = 0; i < 256; i++) {
                pool.give(new byte[length]);
            }
        }

        assertThat(pool.keptLength()).isEqualTo(KEPT_MAX);
        final byte[] taken = pool.take(KEPT_MAX);
        assertThat(taken).hasSize(KEPT_MAX);
        assertThat(pool.keptLength()).isZero();
        pool.give(taken);
        assertThat(pool.take(KEPT_MAX)).isSameAs(taken);
    }
}
