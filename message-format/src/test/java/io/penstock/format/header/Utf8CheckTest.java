package io.penstock.format.header;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class Utf8CheckTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 200);

    /** Bytes at the edges of the table of well-formed sequences, so that random picks meet them. */
    private static final int[] EDGES = {
        0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
        0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF
    };

    @Test
    void shouldAgreeWithTheJdkOnEveryTwoBytes() {
        for (int i = 0; i < 0x10000; i++) {
            check(new byte[] {(byte) (i >> 8), (byte) i}, "bytes " + Integer.toHexString(i));
        }
    }

    @Test
    void shouldAgreeWithTheJdkOnRandomBytes() {
        for (long seed = 0; seed < SEEDS; seed++) {
            final Random random = new Random(seed);
            for (int i = 0; i < 500; i++) {
                final byte[] bytes = new byte[random.nextInt(24)];
                for (int k = 0; k < bytes.length; k++) {
                    bytes[k] = (byte) EDGES[random.nextInt(random.nextBoolean() ? 3 : EDGES.length)];
                }
                check(bytes, "seed " + seed);
            }
        }
    }

    @Test
    void shouldAcceptEveryCodePoint() {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            if (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE) {
                final byte[] bytes = Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
                if (!Utf8Check.isWellFormed(new UnsafeBuffer(bytes), 0, bytes.length)) {
                    throw new AssertionError("code point " + Integer.toHexString(codePoint));
                }
            }
        }
    }

    private static void check(final byte[] bytes, final String as) {
        boolean expected = true;
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (final CharacterCodingException e) {
            expected = false;
        }
        if (Utf8Check.isWellFormed(new UnsafeBuffer(bytes), 0, bytes.length) != expected) {
            throw new AssertionError(as + ": " + Arrays.toString(bytes) + " should be " + expected);
        }
    }
}
