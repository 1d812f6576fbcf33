package io.penstock.broker.format;

/** Decimal numbers to doubles, correctly rounded. */
final class Decimals {
    private static final long EXACT_INTEGER_MAX = 1L << 53;
    private static final double[] POWERS_OF_TEN = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    private Decimals() {}

    /**
     * The double nearest to {@code significand * 10^exponent}.
     *
     * @param significand without a sign, of up to 64 bits.
     * @param exponent    of ten.
     * @return the double, or NaN when it cannot be decided here.
     */
    static double toDouble(final long significand, final int exponent) {
        // Both operands are exact, so one operation rounds once: Clinger's fast path.
        if (significand >= 0 && significand <= EXACT_INTEGER_MAX) {
            if (exponent >= 0 && exponent < POWERS_OF_TEN.length) {
                return significand * POWERS_OF_TEN[exponent];
            }
            if (exponent < 0 && exponent > -POWERS_OF_TEN.length) {
                return significand / POWERS_OF_TEN[-exponent];
            }
        }
        return Double.NaN;
    }
}
