package io.penstock.bench.orb;

/**
 * Recognises when a subject gets no faster any more: its speed was twice in turn no more than a twentieth above the
 * last speed that was so much above the one before, so that many small gains count together.
 */
final class Rising {
    private static final double GAIN = 1.05;
    private static final int PASSES_MIN = 4;

    private final long leastMs;
    private final long mostMs;
    private double best;
    private int passCount;
    private int flatCount;

    /**
     * No pass yet.
     *
     * @param leastMs before which it is not over, unless mostMs is less.
     * @param mostMs  from which it is over even if it still gets faster.
     */
    Rising(final long leastMs, final long mostMs) {
        this.leastMs = leastMs;
        this.mostMs = mostMs;
    }

    /**
     * Notes a pass.
     *
     * @param speed of it.
     */
    void add(final double speed) {
        passCount++;
        if (speed > best * GAIN) {
            best = speed;
            flatCount = 0;
        } else {
            flatCount++;
        }
    }

    /**
     * Whether to end.
     *
     * @param tookMs what all passes took, in milliseconds.
     */
    boolean isOver(final long tookMs) {
        return tookMs >= mostMs || (tookMs >= leastMs && passCount >= PASSES_MIN && flatCount >= 2);
    }
}
