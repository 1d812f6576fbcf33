package io.penstock.transport.inproc;

import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A name that is listened on and the links that wait to be accepted there. Links are added by any thread; the
 * listening agent takes them.
 */
final class InprocListener {
    static final int BACKLOG_LIMIT = 1024;

    private final ManyToManyConcurrentArrayQueue<InprocLink> backlog =
            new ManyToManyConcurrentArrayQueue<>(BACKLOG_LIMIT);
    private final String name;
    private final Runnable wakeup;
    private volatile boolean isClosed;

    InprocListener(final String name, final Runnable wakeup) {
        this.name = name;
        this.wakeup = wakeup;
    }

    String name() {
        return name;
    }

    /** Ends a wait of the listening agent. */
    Runnable wakeup() {
        return wakeup;
    }

    /** Returns false when the backlog is full. */
    boolean offer(final InprocLink link) {
        if (!backlog.offer(link)) {
            return false;
        }
        if (isClosed) {
            // The listener may have emptied its backlog before this link got into it.
            refuseAll();
        }
        wakeup.run();
        return true;
    }

    @Nullable
    InprocLink poll() {
        return backlog.poll();
    }

    /** Links in the backlog are closed, which their connectors learn when they poll. */
    void close() {
        isClosed = true;
        refuseAll();
    }

    private void refuseAll() {
        InprocLink link;
        while ((link = backlog.poll()) != null) {
            link.release(link.acceptor(), link.connector());
        }
    }
}
