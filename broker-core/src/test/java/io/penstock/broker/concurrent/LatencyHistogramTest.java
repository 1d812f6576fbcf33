package io.penstock.broker.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyHistogramTest {
    private final LatencyHistogram histogram = new BrokerCounters(1).newHistogram("io-0", "delivery");

    @ParameterizedTest
    @CsvSource({
        "-9223372036854775808, 0",
        "-1, 0",
        "0, 0",
        "1, 0",
        "1000, 0",
        "1001, 1",
        "2000, 1",
        "2001, 2",
        "4000, 2",
        "67108864000, 26",
        "67108864001, 27",
        "9223372036854775807, 27"
    })
    void shouldCountInTheBucketOfTheLeastBoundThatIsNotBelow(final long timeNs, final int bucket) {
        histogram.add(timeNs);

        final LatencyHistogram.Snapshot snapshot = histogram.snapshot();
        assertThat(snapshot.counts().get(bucket)).isOne();
        assertThat(snapshot.count()).isOne();
        assertThat(snapshot.sumNs()).isEqualTo(Math.max(0, timeNs));
    }

    @Test
    void shouldCountAsANaiveModelDoes() {
        final long seed = 42;
        final Random random = new Random(seed);
        final long[] counts = new long[LatencyHistogram.BOUND_COUNT + 1];
        long sum = 0;
        for (int i = 0; i < 100_000; i++) {
            final long timeNs = random.nextLong() >>> (20 + random.nextInt(43));
            int bucket = 0;
            while (bucket < LatencyHistogram.BOUND_COUNT && timeNs > LatencyHistogram.boundNs(bucket)) {
                bucket++;
            }
            counts[bucket]++;
            sum += timeNs;
            histogram.add(timeNs);
        }
        assertThat(histogram.snapshot().counts()).as("seed " + seed).containsExactly(box(counts));
        assertThat(histogram.snapshot().sumNs()).isEqualTo(sum);
    }

    private static Long[] box(final long[] values) {
        return Arrays.stream(values).boxed().toArray(Long[]::new);
    }

    @Test
    void shouldGiveTheBoundThatAShareIsNotAbove() {
        assertThat(histogram.snapshot().percentileNs(0.99)).isZero();
        for (int i = 0; i < 99; i++) {
            histogram.add(1500);
        }
        histogram.add(9000);

        assertThat(histogram.snapshot().percentileNs(0)).isEqualTo(0);
        assertThat(histogram.snapshot().percentileNs(0.5)).isEqualTo(2000);
        assertThat(histogram.snapshot().percentileNs(0.99)).isEqualTo(2000);
        assertThat(histogram.snapshot().percentileNs(1)).isEqualTo(16_000);
        histogram.add(Long.MAX_VALUE / 2);
        assertThat(histogram.snapshot().percentileNs(1)).isEqualTo(Long.MAX_VALUE);
    }
}
