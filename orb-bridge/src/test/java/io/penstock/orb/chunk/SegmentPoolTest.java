package io.penstock.orb.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SegmentPoolTest {
    private static final int KEPT_MAX = 256 * 1024;

    @Test
    void shouldKeepLittleWhenSegmentsOfAllLengthsAreGivenBack() {
        final SegmentPool pool = new SegmentPool(KEPT_MAX);
        for (int length = SegmentPool.LENGTH_MAX; length >= 4 * 1024; length /= 2) {
            for (int i = 0; i < 256; i++) {
                pool.give(new byte[length]);
            }
        }

        assertThat(pool.keptLength()).isEqualTo(KEPT_MAX);
        final byte[] taken = pool.take(SegmentPool.LENGTH_MAX);
        assertThat(taken).hasSize(SegmentPool.LENGTH_MAX);
        assertThat(pool.keptLength()).isEqualTo(KEPT_MAX - SegmentPool.LENGTH_MAX);
        pool.give(taken);
        assertThat(pool.take(SegmentPool.LENGTH_MAX)).isSameAs(taken);
    }

    @Test
    void shouldKeepRoomForLongSegmentsWhenShortOnesAreMany() {
        final SegmentPool pool = new SegmentPool(KEPT_MAX);
        for (int i = 0; i < 256; i++) {
            pool.give(new byte[4 * 1024]);
        }

        assertThat(pool.keptLength()).isEqualTo(KEPT_MAX / 2);
        pool.give(new byte[SegmentPool.LENGTH_MAX]);
        assertThat(pool.keptLength()).isEqualTo(KEPT_MAX / 2 + SegmentPool.LENGTH_MAX);
    }
}
