package io.penstock.client.lane;

import io.penstock.client.MessageView;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** One queue. A thread of the executor works it off as long as there is something in it. */
final class Lane implements Runnable {
    /** Then others of the executor get their turn. */
    private static final int RUN_LIMIT = 64;

    private final Lanes lanes;
    private final LaneHandler handler;

    /** Messages and barriers. */
    private final Queue<Object> queue = new ConcurrentLinkedQueue<>();

    /** Not done with; as long as it is above 0, one thread or one barrier owns the lane. */
    private final AtomicInteger openCount = new AtomicInteger();

    private int attempt;

    Lane(final Lanes lanes, final LaneHandler handler) {
        this.lanes = lanes;
        this.handler = handler;
    }

    /** Any thread. */
    void add(final Object next) {
        queue.add(next);
        if (openCount.getAndIncrement() == 0) {
            lanes.execute(this);
        }
    }

    @Override
    public void run() {
        for (int i = 0; i < RUN_LIMIT; i++) {
            if (!workOff()) {
                return;
            }
            if (openCount.decrementAndGet() == 0) {
                return;
            }
        }
        lanes.execute(this);
    }

    /** Returns false when the lane is to be left as it is, by this thread. */
    private boolean workOff() {
        final Object next = queue.peek();
        if (next instanceof Barrier barrier) {
            queue.remove();
            return barrier.pass(this);
        }
        if (!(next instanceof MessageView message)) {
            throw new IllegalStateException("lane: holds nothing, but counts something");
        }
        final long delayNs = handOver(message);
        if (delayNs == LaneHandler.DONE) {
            attempt = 0;
            queue.remove();
            return true;
        }
        lanes.executeLater(this, delayNs);
        return false;
    }

    private long handOver(final MessageView message) {
        try {
            return handler.onMessage(message, ++attempt);
        } catch (final Throwable e) {
            // The executor's thread might end of it, and nobody would work this lane off any more.
            handler.onFailure(LaneHandler.THREW, e);
            return LaneHandler.DONE;
        }
    }

    /** The barrier that it stopped at is passed. */
    void goOn() {
        if (openCount.decrementAndGet() > 0) {
            lanes.execute(this);
        }
    }
}
