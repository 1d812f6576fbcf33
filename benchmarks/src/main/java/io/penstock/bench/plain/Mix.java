package io.penstock.bench.plain;

/** Numbers that look random and follow from other numbers, in Java as in the C programs. */
public final class Mix {
    private static final long SEED_FACTOR = 0x100000001B3L;

    private Mix() {}

    /**
     * Spreads numbers over all of a long, the same ones each time.
     *
     * @param number any.
     * @return another one, of its own.
     */
    public static long of(final long number) {
        long mixed = (number + 1) * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }

    /**
     * The same, with other numbers for each seed.
     *
     * @param number any.
     * @param seed   of the run.
     * @return another one.
     */
    public static long of(final long number, final long seed) {
        return of(number + seed * SEED_FACTOR);
    }
}
