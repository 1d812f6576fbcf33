package io.penstock.orb.chunk;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;

/**
 * The reads of a connection, each for all of its streams: before one goes out what was deferred, after it those are
 * woken for whom something has come. Owned by the thread whose turn it is to read, except where a method says
 * otherwise.
 */
final class ConnectionReads {
    private final ChunkConnection connection;
    private final FrameReader reader;
    private volatile long heardNs = System.nanoTime();
    // The reading thread waits for the other side, or is about to: no other thread sends deferred frames.
    private volatile boolean isAtSystem;
    private boolean isAnyWoken;

    ConnectionReads(final ChunkConnection connection, final InputStream in) {
        this.connection = connection;
        reader = new FrameReader(in, new Incoming(connection));
    }

    /** When something was received last. Any thread may ask. */
    long heardNs() {
        return heardNs;
    }

    /** Whether a read goes on for longer than that. Any thread may ask. */
    boolean isStuck(final long nowNs, final long timeoutNs) {
        return reader.isStuck(nowNs, timeoutNs);
    }

    /** Whether a thread waits for the other side, or is about to. Any thread may ask. */
    boolean isAtSystem() {
        return isAtSystem;
    }

    /** Whether somebody was woken by the last read. */
    boolean isAnyWoken() {
        return isAnyWoken;
    }

    /** Reads once. */
    void read() throws IOException {
        isAtSystem = true;
        try {
            if (connection.isCaller()) {
                // The other side reads whatever happens, so this comes to an end; here it might not.
                connection.flush();
            }
            reader.read();
            heardNs = System.nanoTime();
        } catch (final SocketTimeoutException e) {
            throw e;
        } catch (final WrongFrameException e) {
            connection.sendControl(ChunkFrame.CLOSE, 0, e.getMessage());
            connection.end(e);
            throw e;
        } catch (final IOException e) {
            connection.end(e);
            throw e;
        } catch (final RuntimeException | Error e) {
            // Bytes of some stream may be lost with it.
            connection.end(new IOException("chunk: cannot be read: " + e, e));
            throw e;
        } finally {
            isAtSystem = false;
            isAnyWoken = connection.turns().wakeNoted();
        }
    }

    /** Reads once, and says nothing when nothing comes for a while. */
    void readInTime(final long deadlineNs) throws IOException {
        if (deadlineNs != Long.MAX_VALUE && System.nanoTime() - deadlineNs >= 0) {
            throw ReadTurns.timedOut();
        }
        try {
            read();
        } catch (final SocketTimeoutException e) {
            // It reads on, to its deadline.
            return;
        }
    }
}
