package io.penstock.spring.boot;

import java.time.Duration;

/**
 * How long a program leaves its name to another one that has taken it. Two programs of one name would else take it from each
 * other for ever: so each waits twice as long as the time before, and begins anew when the name was its own for long. Safe
 * on any thread.
 */
final class NameRetreat {
    private static final int GROWTH_MAX = 30;
    private static final Duration LONGEST = Duration.ofDays(1);

    private final long firstNs;
    private final long longestNs;
    private long delayNs;
    private long connectedNs;
    private long endNs;
    private boolean isWaiting;
    private boolean isFirst;

    /**
     * Makes one.
     *
     * @param first the wait after the name was taken for the first time; the longest is 30 times as long, and no more
     *              than a day.
     */
    NameRetreat(final Duration first) {
        firstNs = first.compareTo(LONGEST) < 0 ? Math.max(1, first.toNanos()) : LONGEST.toNanos();
        longestNs = Math.min(GROWTH_MAX * firstNs, LONGEST.toNanos());
    }

    /** The program is logged on under its name. */
    synchronized void onConnected(final long nowNs) {
        connectedNs = nowNs;
        isWaiting = false;
    }

    /** Another program has logged on under the same name. */
    synchronized void onReplaced(final long nowNs) {
        isFirst = delayNs == 0 || nowNs - connectedNs > 2 * longestNs;
        delayNs = isFirst ? firstNs : Math.min(2 * delayNs, longestNs);
        endNs = nowNs + delayNs;
        isWaiting = true;
    }

    /** Whether the name was taken for the first time, or after it was this program's for long. */
    synchronized boolean isFirst() {
        return isFirst;
    }

    /** Until the program may log on again, in nanoseconds; 0 when it may. */
    synchronized long leftNs(final long nowNs) {
        return isWaiting ? Math.max(0, endNs - nowNs) : 0;
    }
}
