package io.penstock.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AxisTest {
    @ParameterizedTest
    @CsvSource({"5, 1", "5.1, 2", "9, 2", "11, 2.5", "23, 5", "26, 10", "70000, 20000", "0.4, 0.1"})
    void shouldChooseRoundStepsThatHoldTheGreatestValue(final double max, final double tick) {
        assertThat(Axis.tick(max)).isEqualTo(tick);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    1 19         | 0 5 10 15 20 25
                    0 1000       | 0 200 400 600 800 1,000
                    -3 1000      | 0 200 400 600 800 1,000
                    3 90         | 2 5 10 20 50 100
                    2 50         | 2 5 10 20 50
                    0.4 90       | 0.1 1 10 100
                    1 1000       | 1 10 100 1,000
                    0.00023 4000 | 0.0001 0.001 0.01 0.1 1 10 100 1,000 10,000
                    """)
    void shouldHoldAllValuesBetweenRoundOnes(final String values, final String labels) {
        final double[] numbers = Arrays.stream(values.split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();

        final Axis axis = Axis.fitting(numbers);

        assertThat(axis.ticks().stream().map(Axis::label).collect(Collectors.joining(" ")))
                .isEqualTo(labels);
        assertThat(axis.place(axis.ticks().get(0))).isZero();
        assertThat(axis.place(Arrays.stream(numbers).max().orElseThrow())).isBetween(0.0, 1.0);
    }

    @Test
    void shouldBeLinearWhenThereAreNoValues() {
        assertThat(Axis.fitting(new double[0]).isLogarithmic()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    1        | 1         | 1
                    1000     | 1,000     | 1k
                    2500     | 2,500     | 2.5k
                    1000000  | 1,000,000 | 1M
                    1500000  | 1,500,000 | 1.5M
                    """)
    void shouldHaveAShortLabelWhenAStepIsACount(final int count, final String name, final String label) {
        assertThat(Step.of(count)).isEqualTo(new Step(name, count, label));
    }

    @Test
    void shouldBeInPerCentWhenAStepIsAPart() {
        assertThat(Step.ofPart(0.0001).name()).isEqualTo("0.01 %");
        assertThat(Step.ofPart(1).label()).isEqualTo("100 %");
    }
}
