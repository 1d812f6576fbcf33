package io.penstock.transport.rdma;

import java.io.IOException;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Failures that belong to no connection of the agent. The control thread puts them here, the agent takes them; when
 * this is full, further ones are dropped.
 */
final class Faults {
    private static final int LIMIT = 16;

    private final ManyToOneConcurrentArrayQueue<Throwable> errors = new ManyToOneConcurrentArrayQueue<>(LIMIT);
    private final Runnable wakeAgent;

    Faults(final Runnable wakeAgent) {
        this.wakeAgent = wakeAgent;
    }

    /** Why something failed, for people. */
    static String reasonOf(final Throwable thrown) {
        return thrown instanceof IOException ? String.valueOf(thrown.getMessage()) : thrown.toString();
    }

    /** The agent is notified of what was thrown. Control thread. */
    void add(final Throwable thrown) {
        if (errors.offer(thrown)) {
            wakeAgent.run();
        }
    }

    /** The agent is notified of what people should know. Control thread. */
    void report(final String text, final @Nullable Throwable cause) {
        // More than a few of the same say nothing new.
        add(new IOException("rdma: " + text, cause));
    }

    /** Takes the oldest, or null. Agent. */
    @Nullable
    Throwable take() {
        return errors.poll();
    }
}
