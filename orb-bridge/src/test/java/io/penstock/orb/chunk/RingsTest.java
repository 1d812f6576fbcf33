package io.penstock.orb.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RingsTest {
    private static final int KEPT_MAX = 64 * 1024;

    @Test
    void shouldKeepLittleWhenRingsOfAllLengthsAreGivenBack() {
        final Rings rings = new Rings(KEPT_MAX);
        for (int length = 512 * 1024; length >= 4 * 1024; length /= 2) {
            for (int i = 0; i < 256; i++) {
                rings.give(new byte[length]);
            }
        }

        assertThat(rings.keptLength()).isEqualTo(KEPT_MAX);
        final byte[] taken = rings.take(KEPT_MAX);
        assertThat(taken).hasSize(KEPT_MAX);
        assertThat(rings.keptLength()).isZero();
        rings.give(taken);
        assertThat(rings.take(KEPT_MAX)).isSameAs(taken);
    }
}
