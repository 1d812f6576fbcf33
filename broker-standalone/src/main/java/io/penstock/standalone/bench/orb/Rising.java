package io.penstock.standalone.bench.orb;

/** Tells when what is warmed up gets no faster: twice in turn no more than a twentieth above the best before. */
final class Rising {
    private static final double GAIN = 1.05;
    private static final int PASSES_MIN = 4;

    private double best;
    private int passCount;
    private int flatCount;

    /**
     * Notes a pass.
     *
     * @param speed of it.
     */
    void add(final double speed) {
        passCount++;
        flatCount = speed > best * GAIN ? 0 : flatCount + 1;
        best = Math.max(best, speed);
    }

    boolean isOver() {
        return passCount >= PASSES_MIN && flatCount >= 2;
    }
}
