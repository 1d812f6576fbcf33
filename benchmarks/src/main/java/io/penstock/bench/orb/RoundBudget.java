package io.penstock.bench.orb;

import java.util.List;

/**
 * Shares the time of a run among the rounds of its cells: one of each cell is always measured, a further one only while the time
 * that is left is enough for it and for one of each cell after it, even if their threads are as late as is waited for.
 */
final class RoundBudget {
    /** From so many on threads may wait for long before they are first answered. */
    private static final int MANY_THREADS = 100;

    private final List<Cell> cells;
    private final int kindCount;
    private final long measureMs;
    private final long firstCallsMs;
    private final long limitMs;

    /**
     * For one run.
     *
     * @param cells        in the order in which they are measured.
     * @param kindCount    how many are measured in a round.
     * @param measureMs    what measuring a kind takes with its warm-up at most, in milliseconds, but for late threads.
     * @param firstCallsMs longest wait for late threads in milliseconds.
     * @param limitMs      time of the whole run in milliseconds.
     */
    RoundBudget(
            final List<Cell> cells,
            final int kindCount,
            final long measureMs,
            final long firstCallsMs,
            final long limitMs) {
        this.cells = cells;
        this.kindCount = kindCount;
        this.measureMs = measureMs;
        this.firstCallsMs = firstCallsMs;
        this.limitMs = limitMs;
    }

    /**
     * Whether to measure another round.
     *
     * @param cell   of the run.
     * @param tookMs how long the run has taken by now, in milliseconds.
     */
    boolean allows(final Cell cell, final long tookMs) {
        long mostMs = tookMs;
        for (final Cell each : cells.subList(cells.indexOf(cell), cells.size())) {
            mostMs += mostMs(each);
        }
        return mostMs <= limitMs;
    }

    private long mostMs(final Cell cell) {
        return kindCount * (measureMs + (cell.threadCount() < MANY_THREADS ? 0 : firstCallsMs));
    }
}
