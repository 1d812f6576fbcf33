package io.penstock.orb.chunk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes frames of many threads to one connection, each frame whole. A short frame that comes while another is written is
 * noted, and the writing thread sends it with its own; a long one waits for its turn. So short frames go between the frames
 * of a long message, and no thread stands still for them. Nobody writes for others without end: who waits for its turn gets
 * it after a few rounds, and after some more the next one that has something to send waits for that turn. Safe on any thread.
 */
final class FrameWriter {
    private static final int SHORT_LENGTH = 8 * 1024;
    private static final int PENDING_LENGTH_MAX = 256 * 1024;
    private static final int PENDING_LENGTH = 16 * 1024;
    private static final int PASSED_COUNT_MAX = 4;
    /** Kept of each of two, while nothing is to be sent. */
    private static final int KEPT_LENGTH_MAX = 64 * 1024;
    /** How often one thread sends what others have noted, before it finds one that does so in its place. */
    private static final int ROUND_COUNT_MAX = 16;

    private final OutputStream out;
    private final ChunkCounters counters;
    private final Deque<Turn> waiting = new ArrayDeque<>();
    private byte[] pending = new byte[PENDING_LENGTH];
    private byte[] spare = new byte[PENDING_LENGTH];
    private int pendingLength;
    private boolean isWriting;
    private boolean isTired;
    private int passedCount;
    private IOException failure;
    private volatile long sinceNs;
    private volatile boolean isAtSystem;

    FrameWriter(final OutputStream out, final ChunkCounters counters) {
        this.out = out;
        this.counters = counters;
    }

    /** Whether a write waits for the other side for longer than that. */
    boolean isStuck(final long nowNs, final long timeoutNs) {
        return isAtSystem && nowNs - sinceNs > timeoutNs;
    }

    /** Whether a frame is being written at this moment. */
    synchronized boolean isBusy() {
        return isWriting;
    }

    /**
     * Sends a frame that lies in one piece.
     *
     * @return whether it found another on its way.
     */
    boolean write(final byte[] bytes, final int offset, final int length) throws IOException {
        return write(null, bytes, offset, length);
    }

    /**
     * Sends a header, and its payload from where it lies.
     *
     * @param header null when it lies before the payload.
     * @return whether it found another on its way.
     */
    boolean write(final byte[] header, final byte[] bytes, final int offset, final int length) throws IOException {
        final boolean isShort = length <= SHORT_LENGTH;
        final boolean isWaiting;
        Turn turn = null;
        synchronized (this) {
            check();
            isWaiting = isWriting;
            if (isWaiting) {
                final int headerLength = header == null ? 0 : header.length;
                if (isShort && !isTired && pendingLength + headerLength + length <= PENDING_LENGTH_MAX) {
                    if (header != null) {
                        note(header, 0, headerLength);
                    }
                    note(bytes, offset, length);
                    counters.onStaged(length);
                    return true;
                }
                turn = new Turn(Thread.currentThread());
                waiting.add(turn);
            } else {
                isWriting = true;
                passedCount = waiting.isEmpty() ? 0 : passedCount + 1;
            }
        }
        if (turn != null) {
            await(turn);
        }
        counters.onDirect(length);
        try {
            if (turn != null) {
                // What was noted before may be of the same stream.
                final boolean unused = sendNoted();
            }
            if (header != null) {
                system(header, 0, header.length);
            }
            system(bytes, offset, length);
        } finally {
            release();
        }
        return isWaiting;
    }

    private void note(final byte[] bytes, final int offset, final int length) {
        if (pendingLength + length > pending.length) {
            final byte[] longer = new byte[Math.max(pending.length * 2, pendingLength + length)];
            System.arraycopy(pending, 0, longer, 0, pendingLength);
            pending = longer;
        }
        System.arraycopy(bytes, offset, pending, pendingLength, length);
        pendingLength += length;
    }

    private void await(final Turn turn) throws IOException {
        final long startNs = System.nanoTime();
        boolean isInterrupted = false;
        try {
            while (!take(turn)) {
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

    /** Takes the right to write, when it was given or nobody has it. */
    private synchronized boolean take(final Turn turn) throws IOException {
        check();
        if (turn.isGiven) {
            return true;
        }
        if (!isWriting && waiting.peek() == turn) {
            waiting.remove();
            isWriting = true;
            passedCount = 0;
            return true;
        }
        return false;
    }

    private void check() throws IOException {
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
    }

    /** Sends what was noted meanwhile, a few times at most, and lets the next one write. */
    private void release() throws IOException {
        for (int round = 0; !isReleased(round); round++) {
            final boolean unused = sendNoted();
        }
    }

    private synchronized boolean isReleased(final int round) {
        if (failure != null || pendingLength == 0) {
            isTired = false;
            next(passedCount >= PASSED_COUNT_MAX);
            return true;
        }
        if (round >= PASSED_COUNT_MAX && !waiting.isEmpty()) {
            isTired = false;
            next(true);
            return true;
        }
        isTired = round >= ROUND_COUNT_MAX;
        return false;
    }

    private boolean sendNoted() throws IOException {
        final byte[] noted;
        final int length;
        synchronized (this) {
            if (pendingLength == 0) {
                return false;
            }
            noted = pending;
            length = pendingLength;
            pending = spare;
            spare = noted;
            pendingLength = 0;
        }
        system(noted, 0, length);
        return true;
    }

    /** Whoever waits is woken, and passed by a few times at most: waking takes longer than writing. */
    private void next(final boolean isGiven) {
        isWriting = false;
        final Turn first = waiting.peek();
        if (first != null) {
            if (isGiven) {
                waiting.remove();
                first.isGiven = true;
                isWriting = true;
                passedCount = 0;
            }
            LockSupport.unpark(first.thread);
        }
        if (!isWriting) {
            pending = kept(pending);
            spare = kept(spare);
        }
    }

    private static byte[] kept(final byte[] noted) {
        return noted.length > KEPT_LENGTH_MAX ? new byte[PENDING_LENGTH] : noted;
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

    /** Nothing is sent any more; whoever waits gets this. */
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

        Turn(final Thread thread) {
            this.thread = thread;
        }
    }
}
