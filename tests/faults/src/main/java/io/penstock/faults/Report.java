package io.penstock.faults;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A line for each kind of fault, and what failed. Used from any thread. */
final class Report {
    private static final long PROGRESS_NS = TimeUnit.MINUTES.toNanos(1);

    private final PrintStream out;
    private final Map<String, Long> saidNsByKind = new HashMap<>();
    private int failedCount;
    private int skippedCount;
    private int passedCount;

    Report(final PrintStream out) {
        this.out = out;
    }

    /** How far a kind of fault has come; said once a minute. */
    synchronized void progress(final String what, final int done, final int all, final Tally tally) {
        final long nowNs = System.nanoTime();
        if (nowNs - saidNsByKind.computeIfAbsent(what, key -> nowNs) >= PROGRESS_NS) {
            saidNsByKind.put(what, nowNs);
            out.printf(Locale.ROOT, "       %-22s %d of %d so far: %s%n", what, done, all, tally);
            out.flush();
        }
    }

    /** A kind of fault was tried. */
    synchronized void done(
            final String what, final String tried, final String result, final @Nullable String wrong, final long ns) {
        if (wrong == null) {
            passedCount++;
        } else {
            failedCount++;
        }
        out.printf(
                Locale.ROOT,
                "%-6s %-22s %s: %s (%.0f s)%n",
                wrong == null ? "ok" : "FAILED",
                what,
                tried,
                result,
                ns / 1e9);
        if (wrong != null) {
            out.println("       " + wrong);
        }
        out.flush();
    }

    /** This machine cannot do it. */
    synchronized void skipped(final String what, final String reason) {
        skippedCount++;
        out.printf(Locale.ROOT, "skip   %-22s %s%n", what, reason);
        out.flush();
    }

    synchronized boolean isGood() {
        return failedCount == 0;
    }

    /** Prints the sum, and leaves it where those of other tests are. */
    synchronized void end(final @Nullable Path file) throws IOException {
        if (file != null) {
            Files.writeString(
                    file,
                    String.format(
                            "<testsuite name=\"io.penstock.faults.Main\" tests=\"%d\" errors=\"0\" failures=\"%d\""
                                    + " skipped=\"%d\">%n</testsuite>%n",
                            passedCount + failedCount + skippedCount, failedCount, skippedCount));
        }
        out.printf("faults: %d passed, %d failed, %d skipped%n", passedCount, failedCount, skippedCount);
        out.flush();
    }
}
