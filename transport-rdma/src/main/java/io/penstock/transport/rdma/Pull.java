package io.penstock.transport.rdma;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * One read of a peer's memory: asked for by a thread that waits, posted by the agent. Numbers are final; the result is
 * set once.
 */
final class Pull {
    private static final int PENDING = 0;
    private static final int DONE = 1;
    private static final int FAILED = 2;

    final long remoteAddress;
    final int remoteKey;
    final long localAddress;
    final int localKey;
    final int length;

    private final AtomicInteger state = new AtomicInteger(PENDING);
    private final Thread waiter = Thread.currentThread();

    Pull(final long remoteAddress, final int remoteKey, final long localAddress, final int localKey, final int length) {
        this.remoteAddress = remoteAddress;
        this.remoteKey = remoteKey;
        this.localAddress = localAddress;
        this.localKey = localKey;
        this.length = length;
    }

    /** Agent. */
    void onCompleted(final boolean isGood) {
        state.set(isGood ? DONE : FAILED);
        LockSupport.unpark(waiter);
    }

    /** Whether the device is done with it. */
    boolean isOver() {
        return state.get() != PENDING;
    }

    boolean isDone() {
        return state.get() == DONE;
    }
}
