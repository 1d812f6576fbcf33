package io.penstock.bridge.service;

import java.util.concurrent.atomic.AtomicBoolean;

/** A client that waits for messages or records and holds no thread meanwhile. It holds the lease. Safe on any thread. */
public final class Wait {
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final MessageQueue queue;
    private final Lease lease;
    private final Runnable ready;

    private Wait(final MessageQueue queue, final Lease lease, final Runnable ready) {
        this.queue = queue;
        this.lease = lease;
        this.ready = ready;
    }

    static Wait begin(final MessageQueue queue, final Lease lease, final Runnable ready) {
        final Wait wait = new Wait(queue, lease, ready);
        lease.enter();
        queue.await(wait);
        return wait;
    }

    void onReady() {
        if (isOver.compareAndSet(false, true)) {
            lease.exit();
            ready.run();
        }
    }

    /** Waits no longer, and notifies nobody. Idempotent. */
    public void end() {
        if (isOver.compareAndSet(false, true)) {
            lease.exit();
            queue.forget(this);
        }
    }
}
