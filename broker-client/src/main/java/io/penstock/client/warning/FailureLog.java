package io.penstock.client.warning;

import java.util.function.Supplier;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Internal: warns of what may happen with each message: of the warnings within a second the first one is logged, the others
 * are counted. Safe on any thread.
 */
public final class FailureLog {
    private static final long INTERVAL_NS = 1_000_000_000L;

    private final NanoClock clock;
    private boolean hasLogged;
    private long loggedNs;
    private long unloggedCount;

    /** Internal: one that has logged nothing yet. */
    public FailureLog(final NanoClock clock) {
        this.clock = clock;
    }

    /** Internal: warns, or counts. */
    public synchronized void warn(final Supplier<String> message, final @Nullable Throwable cause) {
        final long nowNs = clock.nanoTime();
        if (hasLogged && nowNs - loggedNs < INTERVAL_NS) {
            unloggedCount++;
            return;
        }
        final String text = message.get()
                + (unloggedCount == 0 ? "" : " (and " + unloggedCount + " times more since the last warning)");
        if (cause == null) {
            ClientLog.warn(text);
        } else {
            ClientLog.warn(text, cause);
        }
        hasLogged = true;
        loggedNs = nowNs;
        unloggedCount = 0;
    }
}
