package io.penstock.format;

import java.math.BigInteger;

/**
 * Decimal numbers to doubles, correctly rounded: exactly when both parts are small, else by multiplying with 128 bits of
 * the power of ten, as D. Lemire describes in "Number parsing at a gigabyte per second" (2021); N. Mushtak and D. Lemire
 * show in "Fast number parsing without fallback" (2022) that for 64 bits of significand those 128 always decide.
 */
public final class Decimals {
    private static final int EXACT_POWER_MAX = 22;
    private static final long EXACT_INTEGER_MAX = 1L << 53;
    private static final double[] EXACT_POWERS = new double[EXACT_POWER_MAX + 1];

    /** Below this exponent 64 bits of significand give zero, above the other one infinity. */
    private static final int EXPONENT_MIN = -342;

    private static final int EXPONENT_MAX = 308;
    /** The halves of the first 128 bits of each power of ten from the least exponent on. */
    private static final long[] POWERS_HIGH = new long[EXPONENT_MAX - EXPONENT_MIN + 1];

    private static final long[] POWERS_LOW = new long[EXPONENT_MAX - EXPONENT_MIN + 1];

    /** The least exponent whose power of five fits 64 bits. */
    private static final int ROUNDED_UP_EXPONENT_MIN = -27;

    private static final int FRACTION_BITS = 52;
    private static final int EXPONENT_BIAS = 1023;
    private static final int BIASED_EXPONENT_MAX = 2047;
    /** The exponents between which a product can lie exactly between two doubles. */
    private static final int TIE_EXPONENT_MIN = -4;

    private static final int TIE_EXPONENT_MAX = 23;

    static {
        double exact = 1;
        for (int i = 0; i <= EXACT_POWER_MAX; i++) {
            EXACT_POWERS[i] = exact;
            exact *= 10;
        }
        for (int exponent = EXPONENT_MIN; exponent <= EXPONENT_MAX; exponent++) {
            final BigInteger bits = firstBits(exponent);
            POWERS_HIGH[exponent - EXPONENT_MIN] = bits.shiftRight(Long.SIZE).longValue();
            POWERS_LOW[exponent - EXPONENT_MIN] = bits.longValue();
        }
    }

    private Decimals() {}

    /**
     * The first 128 bits of a power of five, which are those of the power of ten: cut off, but rounded up where a product
     * with them can be an integer, for which a power that is too small would leave one less.
     */
    private static BigInteger firstBits(final int exponent) {
        final BigInteger power = BigInteger.valueOf(5).pow(Math.abs(exponent));
        if (exponent >= 0) {
            final int excess = power.bitLength() - 2 * Long.SIZE;
            return excess >= 0 ? power.shiftRight(excess) : power.shiftLeft(-excess);
        }
        final BigInteger reciprocal =
                BigInteger.ONE.shiftLeft(power.bitLength() + 2 * Long.SIZE - 1).divide(power);
        return exponent >= ROUNDED_UP_EXPONENT_MIN ? reciprocal.add(BigInteger.ONE) : reciprocal;
    }

    /**
     * The double nearest to {@code significand * 10^exponent}, the even one of two as near.
     *
     * @param significand without a sign, all 64 bits of it.
     * @param exponent    of ten.
     * @return the double, infinite or zero when it is beyond them all.
     */
    public static double toDouble(final long significand, final int exponent) {
        if (significand >= 0 && significand <= EXACT_INTEGER_MAX && Math.abs(exponent) <= EXACT_POWER_MAX) {
            // Both operands are exact, so that one operation rounds once (W. D. Clinger, 1990).
            return exponent >= 0 ? significand * EXACT_POWERS[exponent] : significand / EXACT_POWERS[-exponent];
        }
        if (significand == 0 || exponent < EXPONENT_MIN) {
            return 0;
        }
        return exponent > EXPONENT_MAX ? Double.POSITIVE_INFINITY : product(significand, exponent);
    }

    private static double product(final long significand, final int exponent) {
        final int leadingZeros = Long.numberOfLeadingZeros(significand);
        final long normal = significand << leadingZeros;
        final long power = POWERS_HIGH[exponent - EXPONENT_MIN];
        long high = unsignedMultiplyHigh(normal, power);
        long low = normal * power;
        if ((high & 0x1FF) == 0x1FF) {
            // What the lower half of the power adds may carry into the bits that are kept.
            final long added = unsignedMultiplyHigh(normal, POWERS_LOW[exponent - EXPONENT_MIN]);
            low += added;
            if (Long.compareUnsigned(low, added) < 0) {
                high++;
            }
        }
        final int upperBit = (int) (high >>> 63);
        // One bit more than the fraction and its leading one, to round by.
        final int shift = upperBit + Long.SIZE - FRACTION_BITS - 3;
        long fraction = high >>> shift;
        // The whole part of exponent * log2(10), exact over the exponents there are.
        final int binaryExponent = ((152_170 + 65_536) * exponent) >> 16;
        int biased = binaryExponent + Long.SIZE - 1 + upperBit - leadingZeros + EXPONENT_BIAS;
        if (biased <= 0) {
            return subnormal(fraction, biased);
        }
        final boolean isTie = Long.compareUnsigned(low, 1) <= 0
                && exponent >= TIE_EXPONENT_MIN
                && exponent <= TIE_EXPONENT_MAX
                && (fraction & 3) == 1
                && fraction << shift == high;
        fraction = isTie ? fraction >>> 1 : (fraction + 1) >>> 1;
        if (fraction == 2L << FRACTION_BITS) {
            fraction >>>= 1;
            biased++;
        }
        if (biased >= BIASED_EXPONENT_MAX) {
            return Double.POSITIVE_INFINITY;
        }
        return Double.longBitsToDouble(((long) biased << FRACTION_BITS) | (fraction & ~(1L << FRACTION_BITS)));
    }

    /** Rounding up to the least normal number sets its exponent by itself. */
    private static double subnormal(final long fraction, final int biasedExponent) {
        final int shift = 1 - biasedExponent;
        return shift >= Long.SIZE ? 0 : Double.longBitsToDouble(((fraction >>> shift) + 1) >>> 1);
    }

    /** As {@code Math.unsignedMultiplyHigh}, which came after Java 17. */
    private static long unsignedMultiplyHigh(final long a, final long b) {
        return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
    }
}
