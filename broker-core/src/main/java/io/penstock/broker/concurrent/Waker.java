package io.penstock.broker.concurrent;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where an agent without a transport waits for work. A wake-up that comes before the wait ends it at once, so none is
 * lost; waking an agent that is not waiting costs one read.
 */
public final class Waker implements Runnable {
    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile @Nullable Thread waiting;

    /**
     * Waits until woken or until the time is up. Called by the agent.
     *
     * @param timeoutNs longest wait in nanoseconds.
     */
    public void await(final long timeoutNs) {
        waiting = Thread.currentThread();
        if (!woken.get()) {
            LockSupport.parkNanos(this, timeoutNs);
        }
        waiting = null;
        woken.set(false);
    }

    /**
     * Waits for a time, even if the agent is woken meanwhile; the next {@link #await} ends at once then. For an agent
     * that lets work gather. Called by the agent.
     *
     * @param durationNs in nanoseconds.
     */
    public void sleep(final long durationNs) {
        LockSupport.parkNanos(this, durationNs);
    }

    /** Wakes the agent. Called from any thread, after the work was made visible. */
    @Override
    public void run() {
        // Without it a wake that is being used up could be seen, before the work can be.
        VarHandle.fullFence();
        if (!woken.get() && !woken.getAndSet(true)) {
            final Thread thread = waiting;
            if (thread != null) {
                LockSupport.unpark(thread);
            }
        }
    }
}
