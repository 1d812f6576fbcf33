package io.penstock.standalone.console;

import java.util.concurrent.TimeUnit;

/** How much of long work is done, and how long the rest takes at the pace so far. */
public final class WorkShare {
    private static final long SECONDS_PER_MINUTE = 60;
    private static final long SECONDS_PER_HOUR = 3600;

    /** Too early to say how long it takes. */
    private static final long SETTLED_NS = TimeUnit.SECONDS.toNanos(1);

    private final long total;
    private final long startNs;

    /**
     * Begins now.
     *
     * @param total of the work, in any unit; 0 when nobody knows.
     */
    public WorkShare(final long total) {
        this(total, System.nanoTime());
    }

    WorkShare(final long total, final long startNs) {
        this.total = total;
        this.startNs = startNs;
    }

    /**
     * Says where the work is.
     *
     * @param done of the total.
     * @return such as {@code " (42 %, 1 min 10 s left)"}, or empty when the total is not known.
     */
    public String text(final long done) {
        return text(done, System.nanoTime());
    }

    String text(final long done, final long nowNs) {
        if (total <= 0 || done < 0) {
            return "";
        }
        final long present = Math.min(done, total);
        final double share = present / (double) total;
        final String percent = " (" + (int) (share * 100) + " %";
        final long elapsedNs = nowNs - startNs;
        if (present == 0 || elapsedNs < SETTLED_NS) {
            return percent + ")";
        }
        final double leftNs = elapsedNs * (total - present) / (double) present;
        return percent + ", " + time((long) Math.ceil(leftNs / TimeUnit.SECONDS.toNanos(1))) + " left)";
    }

    private static String time(final long seconds) {
        if (seconds < SECONDS_PER_MINUTE) {
            return seconds + " s";
        }
        return seconds < SECONDS_PER_HOUR
                ? seconds / SECONDS_PER_MINUTE + " min " + seconds % SECONDS_PER_MINUTE + " s"
                : seconds / SECONDS_PER_HOUR + " h " + seconds % SECONDS_PER_HOUR / SECONDS_PER_MINUTE + " min";
    }
}
