package io.penstock.transport.rdma;

import io.penstock.transport.rdma.Progress.Phase;
import io.penstock.transport.rdma.verbs.Completions;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * Sees links out: their last requests are completed, the peer is notified, and their memory is given back when the device touches
 * it no more. Owned by the control thread.
 */
final class LinkEnding {
    private static final int COMPLETION_LIMIT = 64;
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long END_NS = TimeUnit.SECONDS.toNanos(1);

    private final Links links;
    private final NanoClock clock;
    private final Completions completions = new Completions(COMPLETION_LIMIT);

    LinkEnding(final Links links, final NanoClock clock) {
        this.links = links;
        this.clock = clock;
    }

    /** Ends a link that the agent has given back, when its last request is complete. */
    void bury(final Link link) {
        links.enter(link, Phase.DRAINING, DRAIN_NS);
        drain(link);
    }

    /** Looks whether the last request is complete. */
    int drain(final Link link) {
        boolean isDrained = link.isDrained() || link.isDisconnected();
        int count;
        do {
            count = link.endpoint().poll(completions);
            for (int i = 0; i < count; i++) {
                isDrained |= completions.status(i) != Completions.SUCCESS || completions.id(i) == link.lastId();
            }
        } while (count == completions.capacity());
        if (isDrained || count < 0 || clock.nanoTime() - link.progress.deadlineNs >= 0) {
            end(link);
            return 1;
        }
        return Math.max(0, count);
    }

    /** Disconnects from the peer, and waits until it has answered. */
    void end(final Link link) {
        if (link.isDisconnected()) {
            finish(link);
        } else {
            // Not closed at once: the system repeats the message to the peer until that has answered.
            links.enter(link, Phase.ENDING, END_NS);
            link.endpoint().disconnect();
        }
    }

    /** Closes it at once. */
    void finish(final Link link) {
        links.remove(link);
        try {
            link.endpoint().close();
        } finally {
            link.giveMemoryBack();
        }
    }
}
