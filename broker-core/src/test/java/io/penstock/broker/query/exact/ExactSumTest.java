package io.penstock.broker.query.exact;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums of doubles against those of {@link BigDecimal}. */
class ExactSumTest {
    private static final int VALUE_COUNT = 300;

    @ParameterizedTest
    @ValueSource(
            doubles = {
                0.0,
                -0.0,
                1,
                -1,
                0.1,
                Double.MIN_VALUE,
                -Double.MIN_VALUE,
                Double.MIN_NORMAL,
                0x1.fffffffffffffp-1023,
                Double.MAX_VALUE,
                -Double.MAX_VALUE,
                0x1p63,
                1e18,
                335.84
            })
    void shouldBeTheValueWhenItIsTheOnlyOne(final double value) {
        final ExactSum sum = new ExactSum();
        sum.add(value);
        assertThat(sum.doubleValue()).isEqualTo(value + 0.0);
        sum.subtract(value);
        assertThat(sum.doubleValue()).isZero();
    }

    @Test
    void shouldLeaveNothingBehindWhenTheLargestIsTakenAway() {
        final ExactSum sum = new ExactSum();
        sum.add(1e308);
        sum.add(1);
        sum.add(1e-308);
        sum.subtract(1e308);
        sum.subtract(1);
        assertThat(sum.doubleValue()).isEqualTo(1e-308);
    }

    @Test
    void shouldRoundHalfToEvenWhenBetweenTwoDoubles() {
        assertThat(sumOf(0x1p53, 1)).isEqualTo(0x1p53);
        assertThat(sumOf(0x1p53 + 2, 1)).isEqualTo(0x1p53 + 4);
        assertThat(sumOf(0x1p53, 1, Double.MIN_VALUE)).isEqualTo(0x1p53 + 2);
        assertThat(sumOf(-0x1p53, -1, -Double.MIN_VALUE)).isEqualTo(-0x1p53 - 2);
        assertThat(sumOf(0x1p53, 1, -Double.MIN_VALUE)).isEqualTo(0x1p53);
    }

    @Test
    void shouldBeInfiniteBeyondTheDoublesAndComeBack() {
        final ExactSum sum = new ExactSum();
        sum.add(Double.MAX_VALUE);
        sum.add(Double.MAX_VALUE);
        assertThat(sum.doubleValue()).isInfinite();
        assertThat(sum.scaled(-1)).isEqualTo(Double.MAX_VALUE);
        sum.subtract(Double.MAX_VALUE);
        assertThat(sum.doubleValue()).isEqualTo(Double.MAX_VALUE);
    }

    private static double sumOf(final double... values) {
        final ExactSum sum = new ExactSum();
        for (final double value : values) {
            sum.add(value);
        }
        return sum.doubleValue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 1 << 30})
    void shouldBeTheRoundedSumWhenValuesAreRandomAndCarriesWait(final int additionsMax) {
        for (int seed = 0; seed < 60; seed++) {
            final Random random = new Random(seed);
            final ExactSum sum = new ExactSum(additionsMax);
            final ExactSum other = new ExactSum(additionsMax);
            final List<Double> present = new ArrayList<>();
            BigDecimal expected = BigDecimal.ZERO;
            for (int i = 0; i < VALUE_COUNT; i++) {
                if (!present.isEmpty() && random.nextInt(3) == 0) {
                    final double removed = present.remove(random.nextInt(present.size()));
                    sum.subtract(removed);
                    expected = expected.subtract(new BigDecimal(removed));
                } else {
                    final double value = value(random, seed);
                    present.add(value);
                    (random.nextInt(4) == 0 ? other : sum).add(value);
                    expected = expected.add(new BigDecimal(value));
                }
                if (i % 16 == 0) {
                    final ExactSum total = new ExactSum(additionsMax);
                    total.add(other);
                    total.add(sum);
                    assertThat(total.doubleValue()).as("seed %d", seed).isEqualTo(expected.doubleValue());
                }
            }
            sum.add(other);
            present.forEach(sum::subtract);
            assertThat(sum.doubleValue()).as("seed %d", seed).isZero();
        }
    }

    /** Of some seeds values of any size, of others prices. */
    private static double value(final Random random, final int seed) {
        if (seed % 3 == 0) {
            return random.nextInt(1_000_000) / 100.0 * (random.nextBoolean() ? 1 : -1);
        }
        final double value = Double.longBitsToDouble(random.nextLong());
        return Double.isFinite(value) && (seed % 3 == 1 || Math.abs(value) < 1) ? value : random.nextGaussian();
    }

    @Test
    void shouldAddIntegersOf128Bits() {
        final Random random = new Random(3);
        for (int i = 0; i < 1000; i++) {
            final long high = i % 2 == 0 ? random.nextLong() : random.nextInt(3) - 1;
            final long low = i % 5 == 0 ? random.nextInt(3) - 1 : random.nextLong();
            final ExactSum sum = new ExactSum();
            sum.add(high, low);
            final BigInteger expected =
                    BigInteger.valueOf(high).shiftLeft(Long.SIZE).add(new BigInteger(Long.toUnsignedString(low)));
            assertThat(sum.doubleValue()).isEqualTo(new BigDecimal(expected).doubleValue());
        }
    }
}
