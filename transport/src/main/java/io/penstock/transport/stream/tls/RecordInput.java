package io.penstock.transport.stream.tls;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.penstock.transport.stream.Chunk;
import io.penstock.transport.stream.ChunkPool;
import io.penstock.transport.stream.StreamSocket;
import io.penstock.transport.tls.TlsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The records that arrive on one connection, still encrypted. They are read through a chunk that all connections share,
 * between {@link #begin()} and {@link #end()}; what is left of them then is kept, so that a peer that sends little holds
 * little.
 *
 * <pre>
 *   0      1         3        5
 *  +------+---------+--------+----------
 *  | type | version | length | record ...
 *  +------+---------+--------+----------
 * </pre>
 */
final class RecordInput {
    static final int HEADER_LENGTH = 5;

    /** What TLS 1.2 allows, which is more than what TLS 1.3 does. */
    static final int RECORD_LENGTH_MAX = 16 * 1024 + 2048;

    private static final int LENGTH_OFFSET = 3;
    private static final int TYPE_MIN = 20;
    private static final int TYPE_MAX = 23;
    private static final int TYPE_HANDSHAKE = 22;
    private static final int VERSION_MAJOR = 3;

    private final ChunkPool pool;
    private final Chunk shared;

    /** What was left of the last read, from its start on. */
    private @Nullable Chunk kept;

    private int head;
    private int tail;

    /** Length of the first record with its header, once that is there; else 0. */
    private int recordLength;

    private boolean isAtEnd;

    RecordInput(final ChunkPool pool, final Chunk shared) {
        this.pool = pool;
        this.shared = shared;
    }

    /** Takes the shared chunk. */
    void begin() {
        final Chunk from = kept;
        if (from != null) {
            shared.buffer().putBytes(0, from.buffer(), 0, tail);
            pool.give(from);
            kept = null;
        }
    }

    /** Gives the shared chunk back, and keeps what is left. */
    void end() {
        final int length = tail - head;
        if (length > 0) {
            final Chunk to = pool.take(length);
            to.buffer().putBytes(0, shared.buffer(), head, length);
            kept = to;
        }
        head = 0;
        tail = length;
    }

    /**
     * Whether a whole record is there.
     *
     * @throws TlsException when what is there is none.
     */
    boolean hasRecord() throws TlsException {
        if (recordLength == 0 && tail - head >= HEADER_LENGTH) {
            recordLength = lengthOfFirst(shared);
        }
        return recordLength > 0 && tail - head >= recordLength;
    }

    private int lengthOfFirst(final Chunk from) throws TlsException {
        final int type = from.buffer().getByte(head) & 0xFF;
        final int version = from.buffer().getByte(head + 1) & 0xFF;
        if (type < TYPE_MIN || type > TYPE_MAX || version != VERSION_MAJOR) {
            throw new TlsException("the peer does not speak TLS (use an endpoint without TLS, such as tcp, or have it"
                    + " connect with TLS)");
        }
        final int length = from.buffer().getShort(head + LENGTH_OFFSET, BIG_ENDIAN) & 0xFFFF;
        if (length > RECORD_LENGTH_MAX) {
            throw new TlsException("a record of the peer is longer than TLS allows: " + length + " (the limit is "
                    + RECORD_LENGTH_MAX + ")");
        }
        return HEADER_LENGTH + length;
    }

    /** Whether the first record, which is there, is one of a handshake that anybody can see. */
    boolean isHandshake() {
        return (shared.buffer().getByte(head) & 0xFF) == TYPE_HANDSHAKE;
    }

    /** Length of the first record, which is there. */
    int recordLength() {
        return recordLength;
    }

    /** The first record, which is there. */
    ByteBuffer record() {
        return shared.bytes(head, recordLength);
    }

    /** The first record is done with. */
    void onRecordTaken() {
        head += recordLength;
        recordLength = 0;
    }

    /** Whether the peer sends nothing any more, beyond what is there. */
    boolean isAtEnd() {
        return isAtEnd;
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** Reads what there is room for. Returns the bytes that came. */
    int fill(final StreamSocket socket) throws IOException {
        if (head > 0) {
            // Less than a record is there.
            shared.buffer().putBytes(0, shared.buffer(), head, tail - head);
            tail -= head;
            head = 0;
        }
        final int received = socket.read(shared, tail, shared.length() - tail);
        isAtEnd |= received == StreamSocket.END_OF_STREAM;
        tail += Math.max(0, received);
        return Math.max(0, received);
    }

    void release() {
        head = 0;
        tail = 0;
        recordLength = 0;
        if (kept != null) {
            pool.give(kept);
            kept = null;
        }
    }
}
