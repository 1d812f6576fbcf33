package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.value.LikePattern;
import io.penstock.broker.filter.value.Work;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The usual cases are in {@link FilterTruthTest}. */
class LikePatternTest {
    private static final String[] SIGNS = {"a", "b", "ab", "%", "_", "ü", "日", "😀"};

    private static boolean matches(final String pattern, final byte[] text) {
        // The text stands in the middle, so that a step over its ends meets other bytes.
        final byte[] bytes = new byte[text.length + 8];
        Arrays.fill(bytes, (byte) 'a');
        System.arraycopy(text, 0, bytes, 4, text.length);
        return LikePattern.of(pattern, null, new Work()).matches(new UnsafeBuffer(bytes), 4, 4 + text.length);
    }

    private static boolean matches(final String pattern, final String text) {
        return matches(pattern, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String random(final Random random, final int lengthMax, final int signCount) {
        final StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(lengthMax + 1); i > 0; i--) {
            text.append(SIGNS[random.nextInt(signCount)]);
        }
        return text.toString();
    }

    @Test
    void shouldAgreeWithTheModelWhenPatternsAreRandom() {
        final Random random = new Random(11);
        int matchCount = 0;
        for (int i = 0; i < 200_000; i++) {
            final String pattern = random(random, 8, SIGNS.length);
            final String text = random(random, 10, 3) + (random.nextInt(4) == 0 ? random(random, 4, SIGNS.length) : "");
            final boolean expected = Boolean.TRUE.equals(ModelValues.like(text, pattern, -1));
            if (matches(pattern, text) != expected) {
                throw new AssertionError(text + " LIKE " + pattern + " is " + expected);
            }
            matchCount += expected ? 1 : 0;
        }
        assertThat(matchCount).isBetween(5_000, 195_000);
    }

    @Test
    void shouldAgreeWithTheModelWhenSegmentsAreLongerThanAWord() {
        final Random random = new Random(12);
        for (int i = 0; i < 2_000; i++) {
            final StringBuilder segment = new StringBuilder();
            for (int j = 60 + random.nextInt(100); j > 0; j--) {
                segment.append(random.nextInt(20) == 0 ? "_" : random.nextInt(30) == 0 ? "ü" : "a");
            }
            final String text =
                    "aaü".repeat(random.nextInt(10)) + segment.toString().replace('_', 'x') + "aaa";
            assertThat(matches("%" + segment + "%", text)).isTrue();
            assertThat(matches("%" + segment + "b%", text)).isFalse();
            assertThat(matches("%" + segment + "aaa", text)).isTrue();
        }
    }

    /** A translation to a backtracking expression was still running after seconds on 60 characters. */
    @Test
    void shouldTakeLinearTimeWhenABacktrackerWouldTakeForEver() {
        final String as = "a".repeat(1 << 20);
        assertThat(matches("%a".repeat(2000) + "%b", as)).isFalse();
        assertThat(matches("%" + "a".repeat(2000) + "b%", as)).isFalse();
        assertThat(matches("%b" + "a".repeat(2000) + "%", as)).isFalse();
        assertThat(matches("%_" + "a".repeat(60) + "b%", as)).isFalse();
        assertThat(matches("%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%b", "a".repeat(60)))
                .isFalse();
        assertThat(matches("%" + "_".repeat(2000) + "%", as)).isTrue();
    }

    @Test
    void shouldCountStrayBytesAsCodePointsWhenTextIsNotUtf8() {
        final byte[] text = {'a', (byte) 0x80, (byte) 0xE2, (byte) 0x82, 'b', (byte) 0xF0, (byte) 0x9F};
        assertThat(matches("a___", text)).isFalse();
        assertThat(matches("a%b%", text)).isTrue();
        assertThat(matches("a__b_", text)).isTrue();
        assertThat(matches("%_b_", text)).isTrue();
        assertThat(matches("_%_%_%_%_", text)).isTrue();
        assertThat(matches("%\u0080%", text)).isFalse();
    }
}
