package io.penstock.client.lane;

import io.penstock.client.MessageView;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Internal: queues of messages, each of which is worked off in order by one thread of an executor at a time. Their bound is
 * that of who adds. Safe on any thread.
 */
public final class Lanes {
    private static final String REFUSED = "its executor takes no more";

    private final Executor executor;
    private final LaneHandler handler;
    private final Lane[] lanes;

    /** Internal: so many lanes, a power of two. */
    public Lanes(final Executor executor, final LaneHandler handler, final int count) {
        this.executor = executor;
        this.handler = handler;
        lanes = new Lane[count];
        for (int i = 0; i < count; i++) {
            lanes[i] = new Lane(this, handler);
        }
    }

    /** Internal: messages with the same hash are handed over in the order in which they are added. */
    public void add(final int hash, final MessageView message) {
        // The upper bits of a text's hash vary more than the lowest ones do.
        lanes[(hash ^ hash >>> 16) & (lanes.length - 1)].add(message);
    }

    /** Internal: runs when all messages are done with that were added before, and before any that is added later. */
    public synchronized void addBarrier(final Runnable event) {
        final Barrier barrier = new Barrier(this, lanes.length, event);
        // Two barriers come in the same order in all lanes, or each would wait for the other.
        for (final Lane lane : lanes) {
            lane.add(barrier);
        }
    }

    void execute(final Lane lane) {
        try {
            executor.execute(lane);
        } catch (final Throwable e) {
            // An executor may be out of threads, which is an error.
            handler.onFailure(REFUSED, e);
        }
    }

    void executeLater(final Lane lane, final long delayNs) {
        try {
            CompletableFuture.delayedExecutor(delayNs, TimeUnit.NANOSECONDS, task -> execute(lane))
                    .execute(lane);
        } catch (final Throwable e) {
            handler.onFailure(REFUSED, e);
        }
    }

    /** Runs an event that all lanes wait for; they go on, whatever becomes of it. */
    void run(final Runnable event) {
        try {
            event.run();
        } catch (final Throwable e) {
            handler.onFailure(LaneHandler.THREW, e);
        }
    }

    /** All lanes but one have stopped at a barrier, and go on. */
    void goOn(final Lane last) {
        for (final Lane lane : lanes) {
            if (lane != last) {
                lane.goOn();
            }
        }
    }
}
