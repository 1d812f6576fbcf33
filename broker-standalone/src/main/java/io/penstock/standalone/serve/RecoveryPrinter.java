package io.penstock.standalone.serve;

import io.penstock.broker.journal.RecoveryListener;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

/** Prints what a broker finds in its files when it starts. */
final class RecoveryPrinter implements RecoveryListener {
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final PrintWriter out;
    private long printedNs;

    RecoveryPrinter(final PrintWriter out) {
        this.out = out;
    }

    @Override
    public void onProgress(final int shard, final long recordCount, final int percent, final long elapsedNs) {
        if (elapsedNs - printedNs >= INTERVAL_NS) {
            printedNs = elapsedNs;
            out.printf("shard %d: %,d records, %d %%, %.1f s%n", shard, recordCount, percent, seconds(elapsedNs));
            out.flush();
        }
    }

    @Override
    public void onRecovered(final Recovery found) {
        printedNs = 0;
        if (found.sequence() > 0) {
            out.printf(
                    "shard %d: up to record %,d in %.2f s: ",
                    found.shard(), found.sequence(), seconds(found.elapsedNs()));
            if (found.snapshotSequence() > 0) {
                out.printf(
                        "%,d records of the snapshot at %d, ", found.snapshotRecordCount(), found.snapshotSequence());
            }
            out.printf("%,d of the log%n", found.recordCount());
        }
        final RecoveryListener.TornTail torn = found.torn();
        if (torn != null) {
            out.printf(
                    "shard %d: torn tail dropped: %,d bytes at byte %d of %s, as of a write that was not finished: if"
                            + " the disk has lost nothing since, none of it was acknowledged as persisted%n",
                    found.shard(), torn.length(), torn.position(), torn.path());
        }
        out.flush();
    }

    @Override
    public void onDamage(final int shard, final String text) {
        out.println("shard " + shard + ": DAMAGED: " + text);
        out.flush();
    }

    private static double seconds(final long ns) {
        return ns / 1e9;
    }
}
