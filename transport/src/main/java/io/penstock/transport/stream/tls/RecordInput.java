package io.penstock.transport.stream.tls;

import io.penstock.transport.stream.Chunk;
import io.penstock.transport.stream.ChunkPool;
import io.penstock.transport.stream.StreamSocket;
import io.penstock.transport.tls.TlsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The records that arrive on one connection, still encrypted. Holds memory only while a part of one is there.
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

    private static final int CHUNK_LENGTH = 64 * 1024;
    private static final int LENGTH_OFFSET = 3;
    private static final int TYPE_MIN = 20;
    private static final int TYPE_MAX = 23;
    private static final int TYPE_HANDSHAKE = 22;
    private static final int VERSION_MAJOR = 3;

    private final ChunkPool pool;
    private @Nullable Chunk chunk;
    private int head;
    private int tail;

    /** Length of the first record with its header, once that is there; else 0. */
    private int recordLength;

    private boolean isAtEnd;

    RecordInput(final ChunkPool pool) {
        this.pool = pool;
    }

    /**
     * Whether a whole record is there.
     *
     * @throws TlsException when what is there is none.
     */
    boolean hasRecord() throws TlsException {
        if (recordLength == 0 && tail - head >= HEADER_LENGTH && chunk != null) {
            recordLength = lengthOfFirst(chunk);
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
        final int length = (from.buffer().getByte(head + LENGTH_OFFSET) & 0xFF) << Byte.SIZE
                | from.buffer().getByte(head + LENGTH_OFFSET + 1) & 0xFF;
        if (length > RECORD_LENGTH_MAX) {
            throw new TlsException("a record of the peer is longer than TLS allows: " + length + " (the limit is "
                    + RECORD_LENGTH_MAX + ")");
        }
        return HEADER_LENGTH + length;
    }

    /** Whether the first record, which is there, is one of a handshake that anybody can see. */
    boolean isHandshake() {
        return chunk != null && (chunk.buffer().getByte(head) & 0xFF) == TYPE_HANDSHAKE;
    }

    /** Length of the first record, which is there. */
    int recordLength() {
        return recordLength;
    }

    /** The first record, which is there. */
    ByteBuffer record() {
        final Chunk from = chunk;
        if (from == null) {
            throw new IllegalStateException("no record is there");
        }
        return from.bytes(head, recordLength);
    }

    /** The first record is done with. */
    void onRecordTaken() {
        head += recordLength;
        recordLength = 0;
        if (head == tail) {
            release();
        }
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
        Chunk to = chunk;
        if (to == null) {
            to = pool.take(CHUNK_LENGTH);
            chunk = to;
        } else if (to.length() - head < HEADER_LENGTH + RECORD_LENGTH_MAX) {
            moveToFront(to);
        }
        int received = 0;
        try {
            received = socket.read(to, tail, to.length() - tail);
        } finally {
            isAtEnd |= received == StreamSocket.END_OF_STREAM;
            received = Math.max(0, received);
            tail += received;
            if (head == tail) {
                release();
            }
        }
        return received;
    }

    private void moveToFront(final Chunk in) {
        in.buffer().putBytes(0, in.buffer(), head, tail - head);
        tail -= head;
        head = 0;
    }

    void release() {
        head = 0;
        tail = 0;
        recordLength = 0;
        if (chunk != null) {
            pool.give(chunk);
            chunk = null;
        }
    }
}
