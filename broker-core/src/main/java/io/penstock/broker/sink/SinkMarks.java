package io.penstock.broker.sink;

import java.io.IOException;
import java.util.Collection;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;

/** When the files of sinks are marked: some time after the last block, once no more come. Owned by the sink agent. */
final class SinkMarks {
    private static final long MARK_AFTER_NS = 50_000_000;

    private final NanoClock clock;
    private long storedNs;
    private boolean isMarked = true;

    SinkMarks(final NanoClock clock) {
        this.clock = clock;
    }

    void onStored() {
        storedNs = clock.nanoTime();
        isMarked = false;
    }

    /** Whether nothing was stored since the files were marked. */
    boolean isMarked() {
        return isMarked;
    }

    boolean isDue() {
        return !isMarked && clock.nanoTime() - storedNs > MARK_AFTER_NS;
    }

    void mark(final Collection<SinkFile> sinks, final ErrorHandler errorHandler) {
        isMarked = true;
        for (final SinkFile sink : sinks) {
            try {
                if (sink.isMarkDue()) {
                    sink.mark();
                }
            } catch (final IOException e) {
                errorHandler.onError(e);
            }
        }
    }
}
