package io.penstock.standalone.backup;

import io.penstock.broker.journal.backup.CopyListener;
import io.penstock.standalone.console.ProgressLine;
import io.penstock.standalone.input.Rate;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Lets a copy go no faster than a rate, and shows how far it is. Confined to one thread. */
final class CopyProgress implements CopyListener {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ProgressLine line;
    private final double bytesPerSecond;
    private long dueNs = System.nanoTime();
    private long length;

    /**
     * @param rate of bytes, as the user gave it; null = as fast as it goes.
     * @param line to draw.
     */
    CopyProgress(final @Nullable String rate, final ProgressLine line) {
        this.line = line;
        bytesPerSecond = rate == null
                ? Double.POSITIVE_INFINITY
                : Rate.parse("--rate", rate, EnumSet.of(Rate.Kind.BYTES)).amount();
    }

    @Override
    public void onPiece(final int pieceLength) {
        // Time that something else has taken is not caught up with.
        dueNs = Math.max(dueNs, System.nanoTime());
        dueNs += (long) (pieceLength / bytesPerSecond * NANOS_PER_SECOND);
        length += pieceLength;
        if (line.isDue()) {
            line.draw(String.format("%,d MiB", length >> 20));
        }
        for (long waitNs = dueNs - System.nanoTime(); waitNs > 0; waitNs = dueNs - System.nanoTime()) {
            LockSupport.parkNanos(waitNs);
        }
    }
}
