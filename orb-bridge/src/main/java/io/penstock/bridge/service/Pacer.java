package io.penstock.bridge.service;

import io.penstock.client.NoReplyException;
import io.penstock.client.PenstockException;
import io.penstock.client.Subscription;
import io.penstock.protocol.ErrorCode;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Has the broker pause a subscription while much waits for its client. What the broker had sent before still comes, so the
 * queue has room beyond the point at which this is asked for. Asked on any thread; the broker is called by another.
 */
final class Pacer implements Runnable {
    private final Executor executor;
    private final BridgeCounters counters;
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private volatile boolean isToPause;

    // Owned by the run that is scheduled.
    private boolean isPaused;
    private boolean isKnown = true;
    private boolean isRefused;

    private volatile @Nullable Subscription subscription;

    Pacer(final Executor executor, final BridgeCounters counters) {
        this.executor = executor;
        this.counters = counters;
    }

    void subscription(final Subscription accepted) {
        subscription = accepted;
        schedule();
    }

    void pause(final boolean isWanted) {
        if (isToPause != isWanted) {
            isToPause = isWanted;
            schedule();
        }
    }

    private void schedule() {
        if (subscription != null && isScheduled.compareAndSet(false, true)) {
            try {
                executor.execute(this);
            } catch (final RejectedExecutionException e) {
                // The bridge is closing, and with it the subscription.
                isScheduled.set(false);
            }
        }
    }

    @Override
    public void run() {
        final Subscription known = subscription;
        final boolean isWanted = isToPause;
        if (known != null && known.isActive() && isToAsk(isWanted)) {
            try {
                if (isWanted) {
                    counters.add(BridgeCounter.PAUSES, 1);
                    known.pause();
                } else {
                    known.resume();
                }
                isPaused = isWanted;
                isKnown = true;
            } catch (final NoReplyException e) {
                // Nobody knows what the broker has done, so it is asked again.
                isKnown = false;
            } catch (final PenstockException e) {
                // One that follows state has no pace. It ends when its queue is full.
                isKnown = e.errorCode() != ErrorCode.TIMED_OUT;
                isRefused = isKnown;
            }
        }
        isScheduled.set(false);
        if (known != null && known.isActive() && isToAsk(isToPause)) {
            schedule();
        }
    }

    private boolean isToAsk(final boolean isWanted) {
        return !isRefused && (!isKnown || isWanted != isPaused);
    }
}
