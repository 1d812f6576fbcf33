package io.penstock.bridge.rmiiiop;

import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How many calls of all clients may be under way, and how many bytes they may have. A call without room is not read until there is some; the one that has waited longest comes first. A call that waits for messages gives its place to others, and takes one of the places for waiting. A connection has at most half of the places, and of the bytes of calls unless a single call
 * has more. Safe on any thread; a call is known by its thread.
 *
 * <pre>
 *   what comes in part  ->  calls under way  ->  calls that wait
 *     half of the bytes      half of the bytes, with their answers
 * </pre>
 */
final class CallRoom {
    private static final long NANOS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The call of each thread. */
    private static final ThreadLocal<@Nullable AdmittedCall> CURRENT = new ThreadLocal<>();

    private final int callCountMax;
    private final int waitCountMax;
    private final long lengthMax;
    private final long stallNs;
    private final BridgeCounters counters;
    private final Queue<Object> turns = new ArrayDeque<>();
    private int callCount;
    private int waitCount;
    private long callsLength;
    private long partsLength;

    CallRoom(final RmiIiopConfig config, final BridgeCounters counters) {
        callCountMax = config.callCountMax();
        waitCountMax = config.waitCountMax();
        lengthMax = config.callsLengthMax() / 2;
        stallNs = config.stallTimeoutMs() * NANOS_PER_MS;
        this.counters = counters;
    }

    /** Waits until there is room for a call, which the thread makes from here on until {@link #leave}. */
    synchronized void enter(final ConnectionShare share, final long length, final boolean isFromParts)
            throws IOException {
        leave();
        while (!share.isClosed && (share.callCount >= half(callCountMax) || isMuch(share, length))) {
            await();
        }
        final Object turn = new Object();
        turns.add(turn);
        try {
            while (!share.isClosed
                    && (!turn.equals(turns.peek()) || callCount >= callCountMax || callsLength + length > lengthMax)) {
                await();
            }
        } finally {
            turns.remove(turn);
            notifyAll();
        }
        checkOpen(share);
        if (isFromParts) {
            removePart(share, length);
        }
        callCount++;
        share.callCount++;
        callsLength += length;
        share.callsLength += length;
        CURRENT.set(new AdmittedCall(this, share, length));
    }

    /** The thread's call is over, if there is one. */
    static void leave() {
        final AdmittedCall call = CURRENT.get();
        if (call != null) {
            CURRENT.remove();
            call.room.end(call);
        }
    }

    private synchronized void end(final AdmittedCall call) {
        callsLength -= call.length;
        call.share.callsLength -= call.length;
        if (call.isWaiting) {
            waitCount--;
            call.share.waitCount--;
        } else {
            callCount--;
            call.share.callCount--;
        }
        notifyAll();
    }

    /** The thread's call. */
    private static AdmittedCall call() {
        final AdmittedCall call = CURRENT.get();
        if (call == null) {
            throw new IllegalStateException("call: did not come by a connection");
        }
        return call;
    }

    /** Where the thread's call came from. */
    static ConnectionShare caller() {
        return call().share;
    }

    /** Closes the connection of the thread's call, if there is one. */
    static void endCaller() {
        final AdmittedCall call = CURRENT.get();
        if (call != null) {
            call.share.end();
        }
    }

    /** Adds a wait of the thread's call; it ends at once when the connection is closed. */
    synchronized void addWait(final CountDownLatch ready) {
        final ConnectionShare share = call().share;
        share.waits.add(ready);
        if (share.isClosed) {
            ready.countDown();
        }
    }

    /** The thread's call waits no more. */
    synchronized void removeWait(final CountDownLatch ready) {
        call().share.waits.remove(ready);
    }

    /** Gives the place of the thread's call to others, and takes one of those for waiting; false when there is none. */
    synchronized boolean beginWait() {
        final AdmittedCall call = call();
        if (call.isWaiting) {
            return true;
        }
        if (waitCount >= waitCountMax || call.share.waitCount >= half(waitCountMax)) {
            counters.add(BridgeCounter.LIMITS_REACHED, 1);
            return false;
        }
        waitCount++;
        call.share.waitCount++;
        callCount--;
        call.share.callCount--;
        call.isWaiting = true;
        notifyAll();
        return true;
    }

    /**
     * Waits until there is room for the answer of the thread's call, whose arguments are of no more use.
     *
     * @param length    the longest that it may become.
     * @param timeoutMs longest wait.
     * @return false when there was none in time, or the connection was closed.
     */
    synchronized boolean beginAnswer(final long length, final long timeoutMs) throws IOException {
        final AdmittedCall call = call();
        shorten(call, 0);
        final long deadlineNs = System.nanoTime() + timeoutMs * NANOS_PER_MS;
        // A client that has disconnected takes no room.
        while (!call.share.isClosed && (callsLength + length > lengthMax || isMuch(call.share, length))) {
            if (!awaitUntil(deadlineNs)) {
                counters.add(BridgeCounter.LIMITS_REACHED, 1);
                return false;
            }
        }
        if (call.share.isClosed) {
            return false;
        }
        callsLength += length;
        call.share.callsLength += length;
        call.length = length;
        return true;
    }

    /** The answer is known, and so long. */
    synchronized void endAnswer(final long length) {
        shorten(call(), length);
    }

    private void shorten(final AdmittedCall call, final long length) {
        callsLength -= call.length - length;
        call.share.callsLength -= call.length - length;
        call.length = length;
        notifyAll();
    }

    /** Waits until there is room for a part of a call; not for ever, since waiting calls may wait for each other. */
    synchronized void addPart(final ConnectionShare share, final long length) throws IOException {
        final long deadlineNs = System.nanoTime() + stallNs;
        while (!share.isClosed && partsLength + length > lengthMax) {
            if (!awaitUntil(deadlineNs)) {
                counters.add(BridgeCounter.LIMITS_REACHED, 1);
                throw new IOException("call: too much of all has come in part: " + partsLength
                        + " bytes (send again later, or configure a longer callsLengthMax)");
            }
        }
        checkOpen(share);
        partsLength += length;
        share.partsLength += length;
    }

    /** A part was given up. */
    synchronized void removePart(final ConnectionShare share, final long length) {
        if (!share.isClosed) {
            partsLength -= length;
            share.partsLength -= length;
            notifyAll();
        }
    }

    /**
     * The connection has ended: nobody waits for it, and its incomplete messages are dropped. Its calls go on to their
     * end.
     */
    synchronized void close(final ConnectionShare share) {
        if (!share.isClosed) {
            partsLength -= share.partsLength;
            share.isClosed = true;
            share.waits.forEach(CountDownLatch::countDown);
            notifyAll();
        }
    }

    /** Bytes of all calls, and of what has come in part. */
    synchronized long length() {
        return callsLength + partsLength;
    }

    synchronized int callCount() {
        return callCount;
    }

    synchronized int waitCount() {
        return waitCount;
    }

    private static int half(final int count) {
        return Math.max(1, count / 2);
    }

    /** Whether a connection would have too many bytes of calls; one that has none may have any call. */
    private boolean isMuch(final ConnectionShare share, final long length) {
        return share.callsLength > 0 && share.callsLength + length > lengthMax / 2;
    }

    private static void checkOpen(final ConnectionShare share) throws IOException {
        if (share.isClosed) {
            throw new IOException("call: its connection was closed");
        }
    }

    /** Waits until something has changed. */
    @SuppressWarnings("WaitNotInLoop") // Its caller looks again.
    private void await() throws InterruptedIOException {
        try {
            wait();
        } catch (final InterruptedException e) {
            throw interrupted();
        }
    }

    /** Waits until something has changed; false when it is too late. */
    @SuppressWarnings("WaitNotInLoop") // Its caller looks again.
    private boolean awaitUntil(final long deadlineNs) throws InterruptedIOException {
        final long leftNs = deadlineNs - System.nanoTime();
        if (leftNs <= 0) {
            return false;
        }
        try {
            // Rounded up: 0 would be for good.
            wait(leftNs / NANOS_PER_MS + 1);
        } catch (final InterruptedException e) {
            throw interrupted();
        }
        return true;
    }

    private static InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("call: the server is closing");
    }

    /** A call that a thread makes. Guarded by the room. */
    private static final class AdmittedCall {
        private final CallRoom room;
        private final ConnectionShare share;
        private long length;
        private boolean isWaiting;

        AdmittedCall(final CallRoom room, final ConnectionShare share, final long length) {
            this.room = room;
            this.share = share;
            this.length = length;
        }
    }
}
