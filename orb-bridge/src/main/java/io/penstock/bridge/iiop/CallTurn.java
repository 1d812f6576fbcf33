package io.penstock.bridge.iiop;

/**
 * The turn of a connection in the pool of calls. It is held while too much waits to be sent. Any thread may submit and
 * withdraw; the rest is the connection's thread's.
 */
final class CallTurn {
    private final CallPool pool;
    private final CallPool.Line line = new CallPool.Line();
    private boolean isHeld;

    CallTurn(final CallPool pool) {
        this.pool = pool;
    }

    void submit(final Runnable work) {
        pool.submit(line, work);
    }

    /** Takes work back; returns false when it has begun. */
    boolean withdraw(final Runnable work) {
        return pool.withdraw(line, work);
    }

    /** Begins no more calls, or goes on. */
    void hold(final boolean isWanted) {
        if (isHeld != isWanted) {
            isHeld = isWanted;
            pool.hold(line, isHeld);
        }
    }

    /** The connection has ended: a call that was begun and is submitted again finds itself ended, and reports that. */
    void end() {
        pool.hold(line, false);
    }
}
