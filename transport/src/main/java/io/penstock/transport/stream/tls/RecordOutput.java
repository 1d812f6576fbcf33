package io.penstock.transport.stream.tls;

import io.penstock.transport.stream.Chunk;
import io.penstock.transport.stream.ChunkPool;
import io.penstock.transport.stream.StreamSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The records of one connection that are encrypted and not sent yet. Holds memory only while there are some. */
final class RecordOutput {
    /** Takes what a connection gathers before it sends, and what TLS adds to it. */
    private static final int CHUNK_LENGTH = 128 * 1024;

    private final ChunkPool pool;
    private final StreamSocket socket;
    private @Nullable Chunk chunk;
    private int head;
    private int tail;

    RecordOutput(final ChunkPool pool, final StreamSocket socket) {
        this.pool = pool;
        this.socket = socket;
    }

    /** Whether the medium has not taken all of it. */
    boolean isPending() {
        return head < tail;
    }

    /** Whether there is room for one more record. */
    boolean hasRoom(final SSLEngine engine) {
        return CHUNK_LENGTH - tail >= engine.getSession().getPacketBufferSize();
    }

    /** Encrypts as much as one record takes; there has to be room for it. */
    SSLEngineResult wrap(final SSLEngine engine, final ByteBuffer from) throws SSLException {
        Chunk to = chunk;
        if (to == null) {
            to = pool.take(CHUNK_LENGTH);
            chunk = to;
        }
        try {
            final SSLEngineResult result = engine.wrap(from, to.bytes(tail, to.length() - tail));
            tail += result.bytesProduced();
            return result;
        } finally {
            if (head == tail) {
                release();
            }
        }
    }

    /** Gives the medium what it takes now. Returns true when nothing is left. */
    boolean flush() throws IOException {
        final Chunk from = chunk;
        if (from != null) {
            head += socket.write(from, head, tail - head);
            if (head < tail) {
                return false;
            }
            release();
        }
        return true;
    }

    void release() {
        head = 0;
        tail = 0;
        if (chunk != null) {
            pool.give(chunk);
            chunk = null;
        }
    }
}
