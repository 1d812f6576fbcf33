package io.penstock.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DecimalsTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 1);
    private static final int NUMBERS_PER_SEED = 200_000;

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0, 400",
        "1, 0",
        "1, 22",
        "1, 23",
        "9007199254740993, 0", // Between two doubles: to the even one.
        "9007199254740995, 0",
        "9007199254740993, 1",
        "-1, 0", // 18446744073709551615 without a sign.
        "-1, 308",
        "-1, 289",
        "17976931348623157, 292", // The greatest double,
        "17976931348623158, 292",
        "17976931348623159, 292", // and what rounds to infinity.
        "22250738585072014, -324", // The least normal double,
        "22250738585072011, -324", // and the greatest subnormal one.
        "49, -325",
        "25, -325", // Above and at half of the least double.
        "24703282292062328, -340",
        "24703282292062327, -340",
        "1, -342",
        "-1, -343",
        "1, -400",
        "1, 309",
        "1, 2000000000",
        "1, -2000000000"
    })
    void shouldRoundCorrectlyWhenAtTheEdges(final long significand, final int exponent) {
        check(significand, exponent);
    }

    @Test
    void shouldRoundCorrectlyWhenDrawn() {
        for (int seed = 0; seed < SEEDS; seed++) {
            final SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < NUMBERS_PER_SEED; i++) {
                check(random.nextLong() >>> random.nextInt(64), random.nextInt(-345, 312));
            }
        }
    }

    @Test
    void shouldRoundCorrectlyWhenNextToTheMiddleOfTwoDoubles() {
        for (int seed = 0; seed < SEEDS; seed++) {
            final SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < NUMBERS_PER_SEED / 10; i++) {
                final double low = Double.longBitsToDouble(random.nextLong(0x7FEF_FFFF_FFFF_FFFFL));
                final BigDecimal middle = new BigDecimal(low)
                        .add(new BigDecimal(Math.nextUp(low)))
                        .divide(BigDecimal.valueOf(2));
                final int digits = middle.precision() - 19;
                final BigInteger significand = digits <= 0
                        ? middle.unscaledValue()
                        : middle.unscaledValue().divide(BigInteger.TEN.pow(digits));
                final int exponent = -middle.scale() + Math.max(0, digits);
                check(significand.longValue() - 1, exponent);
                check(significand.longValue(), exponent);
                check(significand.longValue() + 1, exponent);
            }
        }
    }

    private static void check(final long significand, final int exponent) {
        final String text = Long.toUnsignedString(significand) + "e" + exponent;
        assertThat(Decimals.toDouble(significand, exponent)).as(text).isEqualTo(Double.parseDouble(text));
    }
}
