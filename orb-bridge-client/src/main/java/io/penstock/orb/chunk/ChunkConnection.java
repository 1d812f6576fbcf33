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
    private final Closeable socket;
    private final FrameWriter writer;
    private final ChunkHello own;
    private final ChunkHello peer;
    private final boolean isCaller;
    private final ChunkListener listener;
    private final ChunkCounters counters;

    private final Object lock = new Object();
    private final StreamTable streams = new StreamTable();
    private final ReadTurns turns = new ReadTurns(lock);
    private final ConnectionReads reads;
    private final StreamWaits waits;
    private boolean isRetired;
    private IOException end;

    /**
     * Takes a connection on which both sides have said hello.
     *
     * @param in       to read; it times out from time to time, so that deadlines are kept.
     * @param out      to write.
     * @param socket   closed when this is.
     * @param own      hello.
     * @param peer     the other side's.
     * @param isCaller whether this side has connected, and so begins streams.
     * @param listener notified of what happens.
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
        reads = new ConnectionReads(this, in);
        writer = new FrameWriter(out, listener.segments(), counters);
        waits = new StreamWaits(this, reads);
    }

    Object lock() {
        return lock;
    }

    ConnectionReads reads() {
        return reads;
    }

    StreamWaits waits() {
        return waits;
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

    /** The hello of the other side. */
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
        return reads.heardNs();
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
        return writer.isStuck(nowNs, timeoutNs) || reads.isStuck(nowNs, timeoutNs);
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
            reads.read();
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

    void wake(final ChunkStream stream) {
        turns.wake(stream.input().reader());
        turns.wake(stream.output().creditor());
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
        sendControl(ChunkFrame.RESET, stream.id(), reason);
    }

    void sendControl(final int type, final int stream, final String reason) {
        final byte[] frame = ChunkFrame.withReason(type, stream, reason);
        final Outgoing outgoing = new Outgoing(frame, false);
        outgoing.frame(0, frame.length, false);
        try {
            final boolean unused = send(outgoing);
        } catch (final IOException e) {
            // There is nobody to be notified.
            return;
        }
    }

    void remove(final ChunkStream stream) {
        if (streams.remove(stream)) {
            free(stream);
        }
    }

    void giveBack(final int length) {
        if (length > 0) {
            listener.hold(-length);
        }
    }

    private void free(final ChunkStream stream) {
        final int heldLength = stream.heldLength();
        stream.free();
        giveBack(heldLength - stream.heldLength());
    }

    void end(final IOException reason) {
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
            stream.hold(stream.input().length() > 0);
            return stream.input().length() == 0;
        }
    }

    /** Ends all streams. Idempotent. */
    @Override
    public void close() {
        end(new IOException("chunk: the connection was closed on this side"));
    }
}
