package io.penstock.orb.pool;

import io.penstock.orb.chunk.ChunkConnection;
import io.penstock.orb.chunk.ChunkStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;

/** A connection of a pool, and the socket below it. Safe on any thread. */
final class PooledConnection {
    private static final int PROBE_TIMEOUT_MS = 1;
    private static final int IDLE_PARTS = 2;
    private static final int LINGER_S = 1;

    private final ChunkConnection chunks;
    private final Socket socket;
    private final int readTimeoutMs;
    private final long idleNs;

    /**
     * Takes a connection.
     *
     * @param chunks        over it.
     * @param socket        that is read.
     * @param readTimeoutMs of it.
     */
    PooledConnection(final ChunkConnection chunks, final Socket socket, final int readTimeoutMs) {
        this.chunks = chunks;
        this.socket = socket;
        this.readTimeoutMs = readTimeoutMs;
        idleNs = TimeUnit.MILLISECONDS.toNanos(chunks.peer().idleTimeoutMs()) / IDLE_PARTS;
    }

    /** Closes the socket below a connection. Waits for nobody: a writing thread may go on only after the close. */
    static void close(final Socket raw) throws IOException {
        if (raw instanceof SSLSocket) {
            try {
                // Its good-bye waits for a write that is under way otherwise.
                raw.setSoLinger(true, LINGER_S);
            } catch (final SocketException e) {
                // It is closed already.
                return;
            }
        }
        raw.close();
    }

    /** Null when it is full, or ended, or about to be. */
    ChunkStream open() {
        return chunks.open();
    }

    int streamCount() {
        return chunks.streamCount();
    }

    boolean isEnded() {
        return chunks.isEnded();
    }

    boolean isHeardSince(final long sinceNs) {
        return !chunks.isEnded() && chunks.heardNs() - sinceNs > 0;
    }

    boolean isStuck(final long nowNs, final long timeoutNs) {
        return chunks.isStuck(nowNs, timeoutNs);
    }

    /** Takes no more calls, if it has none. */
    boolean retire() {
        return chunks.retire();
    }

    /** Whether the bridge may close it soon, since nothing goes over it. */
    boolean isIdleForLong(final long nowNs) {
        return idleNs > 0 && chunks.streamCount() == 0 && nowNs - chunks.heardNs() > idleNs;
    }

    /** Notices that the bridge has closed it, when nobody reads it. */
    void probe() {
        if (!chunks.isUnread() || chunks.streamCount() > 0) {
            return;
        }
        try {
            // A caller that comes to read meanwhile just looks more often.
            socket.setSoTimeout(PROBE_TIMEOUT_MS);
            try {
                final boolean unused = chunks.receive();
            } finally {
                socket.setSoTimeout(readTimeoutMs);
            }
        } catch (final IOException e) {
            // Nothing has come, or it has ended: then it says so.
            return;
        }
    }

    void close() {
        chunks.close();
    }
}
