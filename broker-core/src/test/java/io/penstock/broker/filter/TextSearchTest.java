package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.value.TextSearch;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class TextSearchTest {
    private static int find(final String text, final String part) {
        final UnsafeBuffer textBuffer = new UnsafeBuffer(text.getBytes(StandardCharsets.ISO_8859_1));
        final UnsafeBuffer partBuffer = new UnsafeBuffer(("##" + part).getBytes(StandardCharsets.ISO_8859_1));
        final long factors = TextSearch.factors(partBuffer, 2, part.length());
        return TextSearch.find(textBuffer, 0, text.length(), partBuffer, 2, part.length(), factors);
    }

    private static String random(final Random random, final int lengthMax, final int letterCount) {
        final StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(lengthMax + 1); i > 0; i--) {
            text.append((char) ('a' + random.nextInt(letterCount)));
        }
        return text.toString();
    }

    @Test
    void shouldFindWhatIndexOfFindsWhenTextsAreRandom() {
        final Random random = new Random(3);
        for (int i = 0; i < 300_000; i++) {
            final int letterCount = 1 + random.nextInt(3);
            final String text = random(random, 30, letterCount);
            final String part = random.nextInt(3) == 0
                    ? random(random, 3, letterCount).repeat(1 + random.nextInt(4))
                    : random(random, 8, letterCount);
            if (find(text, part) != text.indexOf(part)) {
                throw new AssertionError(part + " in " + text + " is at " + text.indexOf(part));
            }
        }
    }

    @Test
    void shouldFindEveryPartOfATextWhenItIsPeriodic() {
        final String text = "aababaababaabaab";
        for (int start = 0; start < text.length(); start++) {
            for (int end = start; end <= text.length(); end++) {
                final String part = text.substring(start, end);
                assertThat(find(text, part)).as(part).isEqualTo(text.indexOf(part));
            }
        }
    }

    @Test
    void shouldTakeLinearTimeWhenMostOfThePartMatchesEverywhere() {
        final String text = "a".repeat(1 << 22);
        assertThat(find(text, "a".repeat(1 << 20) + "b")).isNegative();
        assertThat(find(text, "b" + "a".repeat(1 << 20))).isNegative();
        assertThat(find(text, "a".repeat(1 << 19) + "b" + "a".repeat(1 << 19))).isNegative();
        assertThat(find("ab".repeat(1 << 21), "ab".repeat(1 << 19) + "b")).isNegative();
    }
}
