package io.penstock.bridge.service;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.client.Subscription;
import io.penstock.protocol.RecordDescriptor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Has the broker send no more of a subscription than its queue has room for: gives credit for what was taken, as soon as it
 * is half of all there is. Safe on any thread.
 */
final class Refill {
    /** A short message takes more in a queue than in the log: so many times as much, with a topic of 32 characters. */
    private static final int LENGTH_MARGIN = 4;

    /** Bytes of the longest message besides its payload. */
    private static final int MESSAGE_MORE = 1024;

    private final long window;
    private final AtomicLong due = new AtomicLong();
    private volatile @Nullable Subscription subscription;

    Refill(final BridgeConfig config) {
        // The broker sends one message that is longer than what is left of its credit.
        final long shortLength = (long) config.queueLengthMax() - config.messageLengthMax() - MESSAGE_MORE;
        window = Math.max(
                1,
                Math.min(shortLength / LENGTH_MARGIN, (config.queueCountMax() - 1L) * RecordDescriptor.HEADER_LENGTH));
    }

    /** The credit to begin with, in bytes. */
    long window() {
        return window;
    }

    /** The broker has accepted one that needs credit. */
    void subscription(final Subscription accepted) {
        subscription = accepted;
        onTaken(0);
    }

    /** Messages were taken that had cost so much. */
    void onTaken(final long creditLength) {
        final long all = due.addAndGet(creditLength);
        final Subscription known = subscription;
        if (known != null && all >= Math.max(1, window / 2)) {
            final long length = due.getAndSet(0);
            if (length > 0) {
                known.credit(length);
            }
        }
    }
}
