package io.penstock.broker.agent;

import io.penstock.broker.concurrent.IoNotice;
import java.util.function.Consumer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/** Notices of other agents to an I/O agent: they offer, it drains. */
final class IoNotices {
    private final ManyToOneConcurrentArrayQueue<IoNotice> queue;
    private final Consumer<IoNotice> handler;

    IoNotices(final int countMax, final Consumer<IoNotice> handler) {
        queue = new ManyToOneConcurrentArrayQueue<>(countMax);
        this.handler = handler;
    }

    /** Takes a notice; false when there is no room. Called from any thread. */
    boolean offer(final IoNotice notice) {
        return queue.offer(notice);
    }

    /** Handles what is there, up to a limit. Returns how many that were. */
    int drain(final int limit) {
        return queue.drain(handler, limit);
    }

    /** Handles all that is there. Returns how many that were. */
    int drain() {
        return queue.drain(handler);
    }
}
