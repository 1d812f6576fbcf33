package io.penstock.transport;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Remembers a wake-up for the one thread that waits, so that it is neither lost when it comes before the wait nor paid
 * for when nobody waits. For authors of a transport:
 *
 * <pre>{@code
 * void await(long timeoutNs) {                 void wakeup() {
 *     if (flag.beginWait()) {                      if (flag.wake()) {
 *         // block, unless flag.isWoken()              // end the owner's block
 *     }                                            }
 *     flag.endWait();                          }
 * }
 * }</pre>
 *
 * <p>{@link #wake()} may be called from any thread, the other methods by the owner only.
 */
public final class WakeupFlag {
    private static final int RUNNING = 0;
    private static final int WAITING = 1;
    private static final int WOKEN = 2;

    private final AtomicInteger state = new AtomicInteger(RUNNING);

    /**
     * The owner is about to wait.
     *
     * @return false when it was woken since the last wait and must not block.
     */
    public boolean beginWait() {
        return state.compareAndSet(RUNNING, WAITING);
    }

    /** The owner does not wait any longer; wake-ups so far are done with. */
    public void endWait() {
        state.set(RUNNING);
    }

    /**
     * Asked by the owner between {@link #beginWait()} and {@link #endWait()}.
     *
     * @return true when it must not block.
     */
    public boolean isWoken() {
        return state.get() == WOKEN;
    }

    /**
     * Wakes the owner. Always a read-modify-write, so that what the caller stored before is visible to the owner
     * before it can wait again.
     *
     * @return true when the owner waits, or is about to, and the caller has to end that; false when there is nothing
     *     left to do.
     */
    public boolean wake() {
        return state.getAndSet(WOKEN) == WAITING;
    }
}
