package io.penstock.transport.inproc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread wait and any thread end that wait. A wake that comes before the wait is kept for it; several are
 * kept as one.
 */
final class InprocSignal {
    private static final int RUNNING = 0;
    private static final int WAITING = 1;
    private static final int WOKEN = 2;

    private final AtomicInteger state = new AtomicInteger(RUNNING);

    /** Written before the state becomes WAITING and read only after it was seen so. */
    private @Nullable Thread waiter;

    /** Waits until woken or until the time is up; may return early for no reason. Called by the owner only. */
    void await(final long timeoutNs) {
        waiter = Thread.currentThread();
        if (state.compareAndSet(RUNNING, WAITING)) {
            if (timeoutNs > 0) {
                LockSupport.parkNanos(this, timeoutNs);
            }
        }
        state.set(RUNNING);
    }

    /**
     * Ends a present or the next wait. Always a read-modify-write, so that what the caller stored before it is visible
     * to the owner before the owner can wait again.
     */
    void wake() {
        if (state.getAndSet(WOKEN) == WAITING) {
            LockSupport.unpark(waiter);
        }
    }
}
