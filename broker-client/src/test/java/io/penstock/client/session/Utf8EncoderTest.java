package io.penstock.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;

class Utf8EncoderTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 200);
    private static final char[] EDGES = {
        0, 'a', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF
    };

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

    @Test
    void shouldWriteWhatTheJdkWrites() {
        for (long seed = 0; seed < SEEDS; seed++) {
            final Random random = new Random(seed);
            for (int i = 0; i < 100; i++) {
                final StringBuilder text = new StringBuilder();
                for (int k = random.nextInt(12); k > 0; k--) {
                    text.append(EDGES[random.nextInt(EDGES.length)]);
                }
                check(text.toString(), seed);
            }
        }
    }

    private void check(final String text, final long seed) {
        final byte[] expected = text.getBytes(StandardCharsets.UTF_8);
        final byte[] written = new byte[expected.length];
        assertThat(Utf8Encoder.length(text)).as("seed %d: %s", seed, text).isEqualTo(expected.length);
        assertThat(Utf8Encoder.encode(text, buffer, 3)).isEqualTo(3 + expected.length);
        buffer.getBytes(3, written);
        assertThat(written).as("seed %d: %s", seed, text).isEqualTo(expected);
    }
}
