package io.penstock.format.json;

import java.math.BigInteger;

/**
 * The shortest decimal number that reads as a given double, and of those the nearest to it, as R. Giulietti describes in
 * "The Schubfach way to render doubles" (2020). Reused for number after number.
 */
final class ShortestDecimal {
    private static final int FRACTION_BITS = 52;
    private static final long FRACTION_MASK = (1L << FRACTION_BITS) - 1;
    private static final int EXPONENT_MASK = 0x7FF;
    /** The binary exponent of the least double when its significand is an integer. */
    private static final int BINARY_EXPONENT_MIN = -1074;

    private static final int DECIMAL_EXPONENT_MIN = -324;
    private static final int DECIMAL_EXPONENT_MAX = 292;
    private static final int POWER_BITS = 126;
    private static final long LOW_63_BITS = Long.MAX_VALUE;

    /** The upper and lower 63 of the first 126 bits, and one added, of the powers of ten by their negated exponents. */
    private static final long[] POWERS_HIGH = new long[DECIMAL_EXPONENT_MAX - DECIMAL_EXPONENT_MIN + 1];

    private static final long[] POWERS_LOW = new long[DECIMAL_EXPONENT_MAX - DECIMAL_EXPONENT_MIN + 1];

    static {
        for (int k = DECIMAL_EXPONENT_MIN; k <= DECIMAL_EXPONENT_MAX; k++) {
            final BigInteger bits = firstBits(-k).add(BigInteger.ONE);
            POWERS_HIGH[k - DECIMAL_EXPONENT_MIN] =
                    bits.shiftRight(Long.SIZE - 1).longValueExact();
            POWERS_LOW[k - DECIMAL_EXPONENT_MIN] = bits.longValue() & LOW_63_BITS;
        }
    }

    private long significand;
    private int exponent;

    /** The first 126 bits of a power of ten, which are those of the power of five. */
    private static BigInteger firstBits(final int exponent) {
        final BigInteger power = BigInteger.valueOf(5).pow(Math.abs(exponent));
        if (exponent >= 0) {
            final int excess = power.bitLength() - POWER_BITS;
            return excess >= 0 ? power.shiftRight(excess) : power.shiftLeft(-excess);
        }
        final BigInteger reciprocal =
                BigInteger.ONE.shiftLeft(power.bitLength() + POWER_BITS).divide(power);
        return reciprocal.shiftRight(reciprocal.bitLength() - POWER_BITS);
    }

    /**
     * Finds the decimal number.
     *
     * @param value finite, not zero; its sign is left aside.
     */
    void of(final double value) {
        final long bits = Double.doubleToRawLongBits(value);
        final long fraction = bits & FRACTION_MASK;
        final int biased = (int) (bits >>> FRACTION_BITS) & EXPONENT_MASK;
        if (biased == 0) {
            find(fraction, BINARY_EXPONENT_MIN, false);
        } else {
            find(fraction | (1L << FRACTION_BITS), biased + BINARY_EXPONENT_MIN - 1, fraction == 0 && biased > 1);
        }
        while (significand % 10 == 0) {
            significand /= 10;
            exponent++;
        }
    }

    /** @param isPower whether the double below is only half as far away as the one above. */
    private void find(final long binary, final int binaryExponent, final boolean isPower) {
        // Ends of the interval belong to it when the significand is even.
        final long open = binary & 1;
        exponent = isPower ? floorLog10OfThreeQuarters(binaryExponent) : floorLog10(binaryExponent);
        final int shift = binaryExponent + floorLog2OfPowerOf10(-exponent) + 2;
        final long high = POWERS_HIGH[exponent - DECIMAL_EXPONENT_MIN];
        final long low = POWERS_LOW[exponent - DECIMAL_EXPONENT_MIN];
        final long middle = product(high, low, binary << (2 + shift));
        final long left = product(high, low, ((binary << 2) - (isPower ? 1 : 2)) << shift) + open;
        final long right = product(high, low, ((binary << 2) + 2) << shift) - open;
        final long down = middle >> 2;
        final long shortDown = down / 10 * 10;
        final boolean isShortDown = down >= 10 && left <= shortDown << 2;
        final boolean isShortUp = down >= 10 && (shortDown + 10) << 2 <= right;
        if (isShortDown != isShortUp) {
            significand = isShortDown ? shortDown : shortDown + 10;
            return;
        }
        final boolean isDown = left <= down << 2;
        final boolean isUp = (down + 1) << 2 <= right;
        if (isDown != isUp) {
            significand = isDown ? down : down + 1;
            return;
        }
        final long aboveHalf = middle - ((down + down + 1) << 1);
        significand = aboveHalf < 0 || (aboveHalf == 0 && (down & 1) == 0) ? down : down + 1;
    }

    /** A product without its lower bits, of which it is only kept, in the lowest bit, whether there are any. */
    private static long product(final long high, final long low, final long factor) {
        final long fromLow = Math.multiplyHigh(low, factor);
        final long middle = ((high * factor) >>> 1) + fromLow;
        final long top = Math.multiplyHigh(high, factor) + (middle >>> (Long.SIZE - 1));
        return top | (((middle & LOW_63_BITS) + LOW_63_BITS) >>> (Long.SIZE - 1));
    }

    private static int floorLog10(final int binaryExponent) {
        return (int) ((binaryExponent * 661_971_961_083L) >> 41);
    }

    private static int floorLog10OfThreeQuarters(final int binaryExponent) {
        return (int) ((binaryExponent * 661_971_961_083L - 274_743_187_321L) >> 41);
    }

    private static int floorLog2OfPowerOf10(final int decimalExponent) {
        return (int) ((decimalExponent * 913_124_641_741L) >> 38);
    }

    /** The digits as an integer, of which the last one is no zero. */
    long significand() {
        return significand;
    }

    /** The power of ten that the digits are multiplied with. */
    int exponent() {
        return exponent;
    }
}
