package io.penstock.broker.shard.match.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PostingStatisticsTest {
    private static final double UNKNOWN = 0.25;
    private static final int MANY = 1_000_000;

    private final PostingStatistics statistics = new PostingStatistics(0);

    private long search;

    /** It is found by one of some searches, for a count of them. */
    private void found(final long count, final int oneOf) {
        for (long i = 0; i < count; i++) {
            search++;
            if (search % oneOf == 0) {
                statistics.found(search);
            }
        }
    }

    private double rate() {
        return statistics.rate(search, UNKNOWN);
    }

    @Test
    void shouldKnowNothingWhenSearchesAreFew() {
        found(63, 1);
        assertThat(rate()).isEqualTo(UNKNOWN);
        found(1, 1);
        assertThat(rate()).isEqualTo(1);
    }

    @Test
    void shouldSayWhatShareOfSearchesFindsIt() {
        found(1000, 4);
        assertThat(rate()).isBetween(0.24, 0.26);
        found(MANY, 4);
        assertThat(rate()).isBetween(0.24, 0.26);
    }

    @Test
    void shouldForgetWhatWasWhenTheShareChanges() {
        found(MANY, 1);
        found(MANY, 1000);
        assertThat(rate()).isLessThan(0.01);
        found(MANY, 2);
        assertThat(rate()).isBetween(0.49, 0.51);
    }

    @Test
    void shouldNotTakeWhatWasForNowWhenItWasNotFoundForLong() {
        found(MANY, 1);
        search += MANY;
        statistics.found(++search);
        assertThat(rate()).isLessThan(0.1);
        search += 10L * MANY;
        statistics.found(++search);
        assertThat(rate()).isLessThan(0.001);
    }

    @Test
    void shouldCountASearchOnce() {
        assertThat(statistics.found(1)).isTrue();
        assertThat(statistics.found(1)).isFalse();
        assertThat(statistics.found(2)).isTrue();
    }

    @Test
    void shouldAskLessOftenWhenNothingBetterIsFound() {
        assertThat(fruitlessUntilAsked()).isEqualTo(32);
        statistics.reconsidered(false);
        assertThat(fruitlessUntilAsked()).isEqualTo(64);
        statistics.reconsidered(false);
        assertThat(fruitlessUntilAsked()).isEqualTo(128);
        statistics.reconsidered(true);
        assertThat(fruitlessUntilAsked()).isEqualTo(32);
    }

    private int fruitlessUntilAsked() {
        int count = 1;
        while (!statistics.isFruitless()) {
            count++;
        }
        return count;
    }
}
