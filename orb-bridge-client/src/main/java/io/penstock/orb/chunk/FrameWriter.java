package io.penstock.orb.chunk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes frames of many threads to one connection, each frame whole, in the order in which they come. A frame that comes
 * while another is written is noted, and the writing thread sends it with its own: a short one is copied, the array of a
 * long one is kept, or its sender waits until it is sent. So short frames go between the frames of a long message, and no
 * thread stands still for them. What is noted is bounded; who finds no room waits for some. Nobody writes for others without
 * end: whoever waits takes over after a few rounds, and after some more the next one that has something to send. Safe on any
 * thread.
 */
final class FrameWriter {
    private static final int SHORT_LENGTH = 8 * 1024;
    private static final int PENDING_LENGTH_MAX = 256 * 1024;
    /** More of these may be noted, so that they need not wait behind long ones. */
    private static final int PENDING_SHORT_LENGTH = 64 * 1024;

    private static final int DEFERRED_LENGTH_MAX = 16 * 1024;
    /** How often one thread sends what others have noted, before one that waits does so in its place. */
    private static final int PASSED_COUNT_MAX = 4;
    /** How often, before it finds one that does so. */
    private static final int ROUND_COUNT_MAX = 8;

    private final OutputStream out;
    private final ChunkCounters counters;
    private final Deque<Turn> waiting = new ArrayDeque<>();
    private final NotedFrames[] noted;
    private NotedFrames pending;
    private boolean isWriting;
    private boolean isTired;
    private IOException failure;
    private volatile long sinceNs;
    private volatile boolean isAtSystem;

    FrameWriter(final OutputStream out, final SegmentPool segments, final ChunkCounters counters) {
        this.out = out;
        this.counters = counters;
        noted = new NotedFrames[] {new NotedFrames(segments), new NotedFrames(segments)};
        pending = noted[0];
    }

    /** Whether a write waits for the other side for longer than that. */
    boolean isStuck(final long nowNs, final long timeoutNs) {
        return isAtSystem && nowNs - sinceNs > timeoutNs;
    }

    /** Whether a frame is not with the system yet. */
    synchronized boolean isBusy() {
        return isWriting || pending.length() > 0;
    }

    /**
     * Sends a frame.
     *
     * @return whether it found another on its way.
     */
    boolean write(final Outgoing outgoing) throws IOException {
        final Turn turn;
        synchronized (this) {
            check();
            if (isWriting) {
                if (!isTired && isRoom(outgoing)) {
                    note(outgoing);
                    return true;
                }
                turn = new Turn(Thread.currentThread());
                waiting.add(turn);
            } else if (outgoing.isDeferred() && isShort(outgoing) && pending.length() < DEFERRED_LENGTH_MAX) {
                note(outgoing);
                return false;
            } else {
                turn = null;
                isWriting = true;
            }
        }
        if (turn == null || await(turn, outgoing)) {
            counters.onDirect(outgoing.length());
            writeOwn(outgoing);
        }
        return turn != null;
    }

    private static boolean isShort(final Outgoing outgoing) {
        return outgoing.length() <= SHORT_LENGTH;
    }

    private boolean isRoom(final Outgoing outgoing) {
        final int length = pending.length() + outgoing.header().length + outgoing.length();
        return isShort(outgoing)
                ? length <= PENDING_LENGTH_MAX + PENDING_SHORT_LENGTH
                : outgoing.isGivable() && waiting.isEmpty() && length <= PENDING_LENGTH_MAX;
    }

    private void note(final Outgoing outgoing) {
        if (isShort(outgoing)) {
            pending.copy(outgoing);
            counters.onStaged(outgoing.length());
        } else {
            pending.keep(outgoing);
            counters.onDirect(outgoing.length());
        }
    }

    private void writeOwn(final Outgoing outgoing) throws IOException {
        try {
            // Frames noted before may be of the same stream.
            sendNoted();
            if (outgoing.header().length > 0) {
                system(outgoing.header(), 0, outgoing.header().length);
            }
            system(outgoing.bytes(), outgoing.offset(), outgoing.length());
        } finally {
            release();
        }
    }

    /** Sends what was deferred, unless another thread does. */
    void flush() throws IOException {
        synchronized (this) {
            if (isWriting || pending.length() == 0 || failure != null) {
                return;
            }
            isWriting = true;
        }
        release();
    }

    /** Waits for room, or for the right to write: then it returns true. */
    private boolean await(final Turn turn, final Outgoing outgoing) throws IOException {
        final long startNs = System.nanoTime();
        boolean isInterrupted = false;
        try {
            while (true) {
                synchronized (this) {
                    check();
                    if (turn.isGiven || (!isWriting && waiting.peek() == turn)) {
                        waiting.remove(turn);
                        isWriting = true;
                        return true;
                    }
                    if (waiting.peek() == turn && outgoing.isGivable() && isRoomForFirst(outgoing)) {
                        waiting.remove();
                        note(outgoing);
                        wakeFirst();
                        return false;
                    }
                }
                LockSupport.park(this);
                isInterrupted |= Thread.interrupted();
            }
        } finally {
            counters.onWaited(System.nanoTime() - startNs);
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isRoomForFirst(final Outgoing outgoing) {
        return !isTired && pending.length() + outgoing.length() <= PENDING_LENGTH_MAX;
    }

    private void wakeFirst() {
        final Turn first = waiting.peek();
        if (first != null) {
            LockSupport.unpark(first.thread);
        }
    }

    private void check() throws IOException {
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
    }

    /** Sends what was noted meanwhile, a few times at most, and lets the next one write. */
    private void release() throws IOException {
        for (int round = 0; !isReleased(round); round++) {
            sendNoted();
        }
    }

    private synchronized boolean isReleased(final int round) {
        final boolean isLong = round >= PASSED_COUNT_MAX && !waiting.isEmpty();
        if (failure != null || pending.length() == 0 || isLong) {
            isTired = false;
            isWriting = false;
            final Turn first = waiting.peek();
            if (first != null && (isLong || first.isPassed)) {
                waiting.remove();
                first.isGiven = true;
                isWriting = true;
            } else if (first != null) {
                first.isPassed = true;
            }
            if (first != null) {
                LockSupport.unpark(first.thread);
            }
            return true;
        }
        isTired = round >= ROUND_COUNT_MAX;
        return false;
    }

    private void sendNoted() throws IOException {
        final NotedFrames known;
        synchronized (this) {
            if (pending.length() == 0) {
                return;
            }
            known = pending;
            pending = known == noted[0] ? noted[1] : noted[0];
            wakeFirst();
        }
        for (int i = 0; i < known.count(); i++) {
            system(known.bytes(i), known.offset(i), known.length(i));
        }
        synchronized (this) {
            known.clear();
        }
    }

    private void system(final byte[] bytes, final int offset, final int length) throws IOException {
        sinceNs = System.nanoTime();
        isAtSystem = true;
        try {
            out.write(bytes, offset, length);
        } catch (final IOException e) {
            fail(e);
            throw e;
        } catch (final RuntimeException e) {
            final IOException broken = new InterruptedIOException("chunk: cannot be written: " + e.getMessage());
            broken.initCause(e);
            fail(broken);
            throw broken;
        } catch (final Error e) {
            fail(new IOException("chunk: cannot be written: " + e, e));
            throw e;
        } finally {
            isAtSystem = false;
        }
    }

    /** Nothing is sent any more; waiting threads get this. */
    synchronized void fail(final IOException reason) {
        if (failure == null) {
            failure = reason;
            for (final Turn each : waiting) {
                LockSupport.unpark(each.thread);
            }
            waiting.clear();
        }
    }

    /** A thread that waits until it may write. */
    private static final class Turn {
        private final Thread thread;
        private boolean isGiven;
        // It was woken to write, and another came before it.
        private boolean isPassed;

        Turn(final Thread thread) {
            this.thread = thread;
        }
    }
}
