package io.penstock.broker.query.column;

/** Numbers as integers in the same order. A part of a column has either integers, which are their own keys, or doubles. */
public final class NumberKeys {
    /** The key of negative infinity; no double has a lower one. */
    public static final long REAL_MIN = of(Double.NEGATIVE_INFINITY);

    /** The key of infinity; no double has a higher one. */
    public static final long REAL_MAX = of(Double.POSITIVE_INFINITY);

    private static final double LONG_BOUND = 0x1p63;

    private NumberKeys() {}

    /**
     * The key of a double. Both zeros have the same one.
     *
     * @param value that is a number.
     * @return key; of two numbers the greater one has the greater key.
     */
    public static long of(final double value) {
        return swap(Double.doubleToRawLongBits(value + 0.0));
    }

    /**
     * The double of a key.
     *
     * @param key from {@link #REAL_MIN} to {@link #REAL_MAX}.
     * @return the number.
     */
    public static double real(final long key) {
        return Double.longBitsToDouble(swap(key));
    }

    /** Whether an integer is a double, too. */
    static boolean isReal(final long value) {
        final double real = value;
        return real < LONG_BOUND && (long) real == value;
    }

    /** Turns the order of the negative ones around; its own opposite. */
    private static long swap(final long bits) {
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }
}
