package io.penstock.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
    private static final List<String> WORDS =
            List.of("serve", "subscribe", "sow", "publish", "--filter", "--format", "-f", "topics");

    @ParameterizedTest
    @CsvSource({
        "sevre, serve",
        "Serve, serve",
        "publsh, publish",
        "pub, publish",
        "sbuscribe, subscribe",
        "--fliter, --filter",
        "--filtr, --filter",
        "topic, topics"
    })
    void shouldFindWhatWasMeantWhenFewLettersDiffer(final String word, final String meant) {
        assertThat(Nearest.of(word, WORDS)).first().isEqualTo(meant);
    }

    @Test
    void shouldFindNothingWhenNothingIsAlike() {
        assertThat(Nearest.of("conformance", WORDS)).isEmpty();
        assertThat(Nearest.of("--nosuchoption", WORDS)).isEmpty();
        assertThat(Nearest.of("", WORDS)).isEmpty();
        assertThat(Nearest.of("x".repeat(10_000), WORDS)).isEmpty();
    }

    @Test
    void shouldFindThreeAtMostWhenManyAreAlike() {
        assertThat(Nearest.of("abcd", List.of("abcd1", "abcd2", "abcd3", "abcd4")))
                .hasSize(3);
    }
}
