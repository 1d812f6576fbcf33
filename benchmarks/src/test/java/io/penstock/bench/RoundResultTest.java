package io.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RoundResultTest {
    @Test
    void shouldTakeTheMeanOfTheSlowestTwentiethWhenItCutsThroughAValue() {
        final Histogram latencyNs = new Histogram(100_000, 3);
        latencyNs.recordValueWithCount(100, 90);
        latencyNs.recordValueWithCount(200, 9);
        latencyNs.recordValue(1_000);

        assertThat(RoundResult.slowestMeanNs(latencyNs)).isCloseTo((4 * 200 + 1_000) / 5.0, within(2.0));
    }

    @Test
    void shouldDivideByMessagesWhenUsageIsOfAllOfThem() {
        final Histogram latencyNs = new Histogram(100_000, 3);
        latencyNs.recordValue(5_000);

        final RoundResult result =
                RoundResult.of(1_000, 2_000, 10, new Subject.Usage(5_000_000, 3_000, 150_000), 100, latencyNs, 40, 50);

        assertThat(result.messagesPerS()).isEqualTo(100);
        assertThat(result.deliveriesPerS()).isEqualTo(200);
        assertThat(result.brokerCpuUsPerMessage()).isEqualTo(5);
        assertThat(result.allocatedBytesPerMessage()).isEqualTo(3);
        assertThat(result.copiesPerMessage()).isEqualTo(1.5);
        assertThat(result.p50Us()).isCloseTo(5, within(0.01));
    }

    @Test
    void shouldTakeTheMiddleOfEachFigureWhenThereAreRounds() {
        final RoundResult median = RoundResult.median(List.of(round(3, 10), round(1, 30), round(2, 20)));

        assertThat(median.messages()).isEqualTo(2);
        assertThat(median.p50Us()).isEqualTo(20);
        assertThat(RoundResult.median(List.of(round(1, 10), round(2, 20))).p50Us())
                .isEqualTo(15);
    }

    private static RoundResult round(final double messages, final double p50Us) {
        return new RoundResult(messages, 0, 0, 0, 0, 0, p50Us, 0, 0, 0, 0, 0, 0, 0);
    }
}
