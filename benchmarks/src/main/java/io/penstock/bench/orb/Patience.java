package io.penstock.bench.orb;

/**
 * How long to wait for a subject.
 *
 * @param leastWarmUpMs least time of warming something up in milliseconds, unless the most is less.
 * @param mostWarmUpMs  time in milliseconds after which it counts as warm even if it still gets faster.
 * @param firstCallsMs  longest wait, in milliseconds, for threads that have not called once before they are measured.
 */
record Patience(long leastWarmUpMs, long mostWarmUpMs, long firstCallsMs) {
    private static final long LEAST_MS = 5_000;
    private static final long QUICK_LEAST_MS = 3_000;
    private static final long FIRST_CALLS_MS = 10_000;
    private static final long QUICK_FIRST_CALLS_MS = 3_000;

    static Patience usual(final int warmUpSeconds) {
        return new Patience(LEAST_MS, warmUpSeconds * 1_000L, FIRST_CALLS_MS);
    }

    static Patience quick(final int warmUpSeconds) {
        return new Patience(QUICK_LEAST_MS, warmUpSeconds * 1_000L, QUICK_FIRST_CALLS_MS);
    }
}
