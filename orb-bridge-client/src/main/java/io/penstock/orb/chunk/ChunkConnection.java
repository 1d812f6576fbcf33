package io.penstock.orb.chunk;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.util.List;

/**
 * A connection with many streams. Of the threads that wait for bytes one reads, for itself and for the others, until it has
 * its own; then another does. So a call that is alone needs no second thread. Where many wait on the side that has connected,
 * a thread of the connection reads for all. Safe on any thread.
 */
public final class ChunkConnection implements Closeable {
    private static final int LONG_WINDOW_LENGTH_MIN = 256 * 1024;

    private final Closeable socket;
    private final FrameReader reader;
    private final FrameWriter writer;
    private final ChunkHello own;
    private final ChunkHello peer;
    private final boolean isCaller;
    private final ChunkListener listener;
    private final ChunkCounters counters;

    private final Object lock = new Object();
    private final StreamTable streams = new StreamTable();
    private final ReadTurns turns = new ReadTurns(lock);
    private boolean isRetired;
    private IOException end;
    private volatile long heardNs = System.nanoTime();
    // Whoever reads waits for the other side, or is about to: nobody else sends what was deferred.
    private volatile boolean isAtSystem;
    // Of the thread that reads.
    private boolean isAnyWoken;

    /**
     * Takes a connection on which both sides have said hello.
     *
     * @param in       to read; it times out from time to time, so that deadlines are kept.
     * @param out      to write.
     * @param socket   closed when this is.
     * @param own      hello.
     * @param peer     the other side's.
     * @param isCaller whether this side has connected, and so begins streams.
     * @param listener told what happens.
     * @param counters count.
     */
    public ChunkConnection(
            final InputStream in,
            final OutputStream out,
            final Closeable socket,
            final ChunkHello own,
            final ChunkHello peer,
            final boolean isCaller,
            final ChunkListener listener,
            final ChunkCounters counters) {
        this.socket = socket;
        this.own = own;
        this.peer = peer;
        this.isCaller = isCaller;
        this.listener = listener;
        this.counters = counters;
        reader = new FrameReader(in, new Incoming(this));
        writer = new FrameWriter(out, listener.segments(), counters);
    }

    Object lock() {
        return lock;
    }

    // For what is received, under the lock.

    ReadTurns turns() {
        return turns;
    }

    SegmentPool segments() {
        return listener.segments();
    }

    ChunkListener listener() {
        return listener;
    }

    /** Why it ended; null while it has not. */
    IOException end() {
        return end;
    }

    StreamTable streams() {
        return streams;
    }

    ChunkHello own() {
        return own;
    }

    /** What the other side has said of itself. */
    public ChunkHello peer() {
        return peer;
    }

    boolean isCaller() {
        return isCaller;
    }

    /**
     * Begins a stream, which the calling thread holds. The other side hears of it with its first bytes.
     *
     * @return the stream; null when there are as many as there may be, or the connection takes no more.
     */
    public ChunkStream open() {
        synchronized (lock) {
            if (isRetired || end != null || streams.count() >= peer.streamCountMax()) {
                return null;
            }
            final ChunkStream stream = new ChunkStream(this, streams.nextId(), own.windowLength(), peer.windowLength());
            stream.hold(true);
            streams.add(stream);
            return stream;
        }
    }

    /**
     * Takes no more streams, if there are none.
     *
     * @return whether it takes no more, and can be closed.
     */
    public boolean retire() {
        synchronized (lock) {
            isRetired |= streams.count() == 0;
            return isRetired;
        }
    }

    /** Streams that are there. */
    public int streamCount() {
        return streams.count();
    }

    /**
     * When something was received last.
     *
     * @return of {@link System#nanoTime()}.
     */
    public long heardNs() {
        return heardNs;
    }

    /** How many times a thread has begun to read. */
    public long readCount() {
        synchronized (lock) {
            return turns.count();
        }
    }

    /** Whether it is closed, or broken, for good. */
    public boolean isEnded() {
        synchronized (lock) {
            return end != null;
        }
    }

    /**
     * Whether nobody reads.
     *
     * @return true when nothing is received at this moment.
     */
    public boolean isUnread() {
        synchronized (lock) {
            return !turns.isRead() && end == null;
        }
    }

    /**
     * Whether a write waits for the other side for longer than it may, or a read does: with TLS a read may write.
     *
     * @param nowNs     of {@link System#nanoTime()}.
     * @param timeoutNs how long it may.
     * @return true when it is to be closed.
     */
    public boolean isStuck(final long nowNs, final long timeoutNs) {
        return writer.isStuck(nowNs, timeoutNs) || reader.isStuck(nowNs, timeoutNs);
    }

    /**
     * Whether something that was sent is not with the system yet.
     *
     * @return true while a thread writes.
     */
    public boolean isWriting() {
        return writer.isBusy();
    }

    /**
     * Reads for all streams once, unless another thread does.
     *
     * @return false when another does.
     * @throws SocketTimeoutException when nothing came for a while.
     * @throws IOException            when the connection is broken or closed.
     */
    public boolean receive() throws IOException {
        synchronized (lock) {
            checkOpen();
            if (turns.isRead()) {
                return false;
            }
            turns.lead();
        }
        try {
            readFrames();
        } finally {
            turns.end();
        }
        return true;
    }

    void checkOpen() throws IOException {
        if (end != null) {
            throw new IOException(end.getMessage(), end);
        }
    }

    private void readFrames() throws IOException {
        isAtSystem = true;
        try {
            if (isCaller) {
                // The other side reads whatever happens, so this comes to an end; here it might not.
                flush();
            }
            reader.read();
            heardNs = System.nanoTime();
        } catch (final SocketTimeoutException e) {
            throw e;
        } catch (final WrongFrameException e) {
            tell(ChunkFrame.CLOSE, 0, e.getMessage());
            end(e);
            throw e;
        } catch (final IOException e) {
            end(e);
            throw e;
        } catch (final RuntimeException | Error e) {
            // Bytes of some stream may be lost with it.
            end(new IOException("chunk: cannot be read: " + e, e));
            throw e;
        } finally {
            isAtSystem = false;
            isAnyWoken = turns.wakeNoted();
        }
    }

    /** What this thread has deferred is sent before it waits, unless whoever reads does so when that begins. */
    private void flushIfRead() throws IOException {
        if (isAtSystem || !isCaller) {
            flush();
        }
    }

    int read(final ChunkStream stream, final byte[] bytes, final int offset, final int count, final long deadlineNs)
            throws IOException {
        boolean isWaiting = false;
        while (true) {
            final boolean isWanted;
            synchronized (lock) {
                if (stream.isReady()) {
                    final int heldLength = stream.heldLength();
                    final int taken = stream.take(bytes, offset, count);
                    giveBack(heldLength - stream.heldLength());
                    afterRead(stream);
                    turns.passOn();
                    return taken;
                }
                if (stream.isTurn()) {
                    turns.passOn();
                    return -1;
                }
                checkGoesOn(stream);
                if (!isWaiting) {
                    isWaiting = true;
                    stream.target(bytes, offset, count);
                }
                stream.isReading(turns.leadOrWait(stream.reader()));
                isWanted = isCaller && turns.isReaderWanted();
            }
            if (isWanted) {
                ManyReader.start(this);
            }
            if (stream.isReading()) {
                readOwn(stream, deadlineNs);
            } else {
                awaitBytes(stream, deadlineNs);
            }
        }
    }

    /** Whatever happens, nothing is put into the reader's array after this but what it takes. */
    private void awaitBytes(final ChunkStream stream, final long deadlineNs) throws IOException {
        try {
            flushIfRead();
            turns.park(stream.reader(), deadlineNs);
            awaitUnclaimed(stream);
        } catch (final IOException e) {
            awaitUnclaimed(stream);
            dropTarget(stream);
            throw e;
        }
    }

    /** Waits while another thread reads into the array; its read times out soon. */
    private void awaitUnclaimed(final ChunkStream stream) {
        boolean isInterrupted = false;
        synchronized (lock) {
            while (stream.isClaimed()) {
                try {
                    lock.wait();
                } catch (final InterruptedException e) {
                    isInterrupted = true;
                }
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads for all until there is something for this one, or its end. */
    private void readOwn(final ChunkStream stream, final long deadlineNs) throws IOException {
        boolean isDone = false;
        try {
            while (!isDone) {
                framesInTime(deadlineNs);
                synchronized (lock) {
                    isDone = stream.isReady() || stream.isOver();
                }
                if (!isDone) {
                    listener.onReadOn();
                }
            }
        } finally {
            if (!isDone) {
                dropTarget(stream);
            }
            stream.isReading(false);
            turns.end();
        }
    }

    private void dropTarget(final ChunkStream stream) {
        synchronized (lock) {
            final int unused = stream.takeTarget();
        }
    }

    /** Whether somebody was woken by the last read; asked by the thread that reads. */
    boolean isAnyWoken() {
        return isAnyWoken;
    }

    /** Reads once, and says nothing when nothing comes for a while. */
    void framesInTime(final long deadlineNs) throws IOException {
        if (deadlineNs != Long.MAX_VALUE && System.nanoTime() - deadlineNs >= 0) {
            throw ReadTurns.timedOut();
        }
        try {
            readFrames();
        } catch (final SocketTimeoutException e) {
            // It reads on, to its deadline.
            return;
        }
    }

    /** A stream that is answered and read is gone. */
    private void afterRead(final ChunkStream stream) {
        if (isCaller && stream.isTurn() && stream.length() == 0) {
            remove(stream);
        }
    }

    private void checkGoesOn(final ChunkStream stream) throws IOException {
        if (stream.end() != null) {
            turns.passOn();
            throw new IOException(stream.end().getMessage(), stream.end());
        }
        checkOpen();
    }

    void wake(final ChunkStream stream) {
        turns.wake(stream.reader());
        turns.wake(stream.creditor());
    }

    /** Credit for at least one byte; -1 when the other side has answered already, and wants no more. */
    int takeCredit(final ChunkStream stream, final int count, final long deadlineNs) throws IOException {
        while (true) {
            final boolean isLeading;
            synchronized (lock) {
                if (stream.isTurn()) {
                    turns.passOn();
                    return -1;
                }
                checkGoesOn(stream);
                if (stream.credit() > 0) {
                    final int taken = Math.min(count, stream.credit());
                    stream.credit(-taken);
                    turns.passOn();
                    return taken;
                }
                isLeading = turns.leadOrWait(stream.creditor());
            }
            if (isLeading) {
                readForCredit(stream, deadlineNs);
            } else {
                flushIfRead();
                turns.park(stream.creditor(), deadlineNs);
            }
        }
    }

    private void readForCredit(final ChunkStream stream, final long deadlineNs) throws IOException {
        boolean isDone = false;
        try {
            while (!isDone) {
                framesInTime(deadlineNs);
                synchronized (lock) {
                    isDone = stream.credit() > 0 || stream.isOver();
                }
                listener.onReadOn();
            }
        } finally {
            turns.end();
        }
    }

    /** Whether so much more may be sent at once of a long message that is being read: there is memory for it. */
    boolean extend(final ChunkStream stream, final int count) {
        synchronized (lock) {
            final boolean isExtended = stream.isLong()
                    && own.windowLength() >= LONG_WINDOW_LENGTH_MIN
                    && streams.has(stream)
                    && listener.holdMore(count);
            if (isExtended) {
                stream.extend(count);
            }
            return isExtended;
        }
    }

    /** More may be sent to this side; false when nothing more will be. */
    boolean grant(final ChunkStream stream, final int count) {
        synchronized (lock) {
            stream.grant(count);
            return !stream.isOver() && end == null;
        }
    }

    /**
     * Sends what was deferred.
     *
     * @throws IOException when the connection is broken.
     */
    public void flush() throws IOException {
        try {
            writer.flush();
        } catch (final IOException e) {
            end(e);
            throw e;
        }
    }

    boolean send(final Outgoing outgoing) throws IOException {
        try {
            final boolean isWaiting = writer.write(outgoing);
            counters.onFrame(isWaiting);
            return isWaiting;
        } catch (final IOException e) {
            end(e);
            throw e;
        }
    }

    /**
     * All was answered on a stream that the other side has begun: nothing more is read from it, or sent.
     *
     * @param stream that is over.
     */
    public void finish(final ChunkStream stream) {
        synchronized (lock) {
            stream.turn();
            remove(stream);
        }
    }

    /**
     * Gives up streams of which a part has come, and no more for long: nobody was notified of them yet.
     *
     * @param nowNs     of {@link System#nanoTime()}.
     * @param timeoutNs how long they may stay.
     */
    public void resetParts(final long nowNs, final long timeoutNs) {
        final List<ChunkStream> late;
        synchronized (lock) {
            late = streams.partsSince(nowNs - timeoutNs);
        }
        for (final ChunkStream each : late) {
            reset(each, "chunk: the rest of what was begun has not come in time");
        }
    }

    void reset(final ChunkStream stream, final String reason) {
        synchronized (lock) {
            remove(stream);
            if (stream.isOver() || end != null) {
                return;
            }
            stream.end(new IOException(reason));
            wake(stream);
        }
        tell(ChunkFrame.RESET, stream.id(), reason);
    }

    void tell(final int type, final int stream, final String reason) {
        final byte[] frame = ChunkFrame.withReason(type, stream, reason);
        final Outgoing outgoing = new Outgoing(frame, false);
        outgoing.frame(0, frame.length, false);
        try {
            final boolean unused = send(outgoing);
        } catch (final IOException e) {
            // There is nobody to be told.
            return;
        }
    }

    void remove(final ChunkStream stream) {
        if (streams.remove(stream)) {
            free(stream);
        }
    }

    private void giveBack(final int length) {
        if (length > 0) {
            listener.hold(-length);
        }
    }

    private void free(final ChunkStream stream) {
        final int heldLength = stream.heldLength() + stream.extendedLength();
        stream.free();
        giveBack(heldLength - stream.heldLength());
    }

    private void end(final IOException reason) {
        synchronized (lock) {
            if (end != null) {
                return;
            }
            end = reason;
            for (final ChunkStream each : streams.clear()) {
                free(each);
                each.end(reason);
                wake(each);
            }
            turns.wakeReader();
        }
        writer.fail(reason);
        try {
            socket.close();
        } catch (final IOException e) {
            // It is closed all the same.
        } finally {
            listener.onEnd();
        }
    }

    /**
     * Nobody holds a stream any more, unless there are bytes on it.
     *
     * @param stream that the calling thread holds.
     * @return false when there are bytes, and it is held still.
     */
    public boolean release(final ChunkStream stream) {
        synchronized (lock) {
            stream.hold(stream.length() > 0);
            return stream.length() == 0;
        }
    }

    /** Ends all streams. Idempotent. */
    @Override
    public void close() {
        end(new IOException("chunk: the connection was closed on this side"));
    }
}
