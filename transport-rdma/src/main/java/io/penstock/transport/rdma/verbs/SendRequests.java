package io.penstock.transport.rdma.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Requests for {@link VerbsEndpoint#postSends}, in native memory that the native library reads as it is. Numbers are in the
 * machine's byte order.
 *
 * <pre>
 *      0               4               8              12              16
 *     +-------------------------------+---------------+---------------+
 *   0 | id                            | operation     | flags         |
 *     +-------------------------------+---------------+---------------+
 *  16 | address                       | length        | local key     |   first piece
 *     +-------------------------------+---------------+---------------+
 *  32 | address                       | length        | local key     |   second piece; length 0 for none
 *     +-------------------------------+---------------+---------------+
 *  48 | remote address                | remote key    | immediate     |
 *     +-------------------------------+---------------+---------------+
 * </pre>
 *
 * <p>The two pieces are sent, written, or filled by a read, as one. Owned by one thread.
 */
public final class SendRequests {
    /** Bytes for a receive that the peer has posted. */
    public static final int SEND = 0;

    /** Bytes into the peer's memory, which hears nothing of it. Of length 0 it touches no memory and needs no key. */
    public static final int WRITE = 1;

    /** Bytes into the peer's memory, and a number that uses up a receive which the peer has posted. */
    public static final int WRITE_WITH_IMMEDIATE = 2;

    /** Bytes out of the peer's memory into the local pieces. */
    public static final int READ = 3;

    /** There will be a completion; without it only if the request fails. */
    public static final int SIGNALLED = 1;

    /** The bytes are taken when the request is posted, and need no key. At most {@link VerbsEndpoint#inlineLength()}. */
    public static final int INLINE = 2;

    /** Begins when all reads before it are done. */
    public static final int FENCE = 4;

    public static final int LENGTH = 64;

    static final int ID_OFFSET = 0;
    static final int OPERATION_OFFSET = ID_OFFSET + Long.BYTES;
    static final int FLAGS_OFFSET = OPERATION_OFFSET + Integer.BYTES;
    static final int FIRST_OFFSET = FLAGS_OFFSET + Integer.BYTES;
    static final int SECOND_OFFSET = FIRST_OFFSET + 2 * Long.BYTES;
    static final int REMOTE_ADDRESS_OFFSET = SECOND_OFFSET + 2 * Long.BYTES;
    static final int REMOTE_KEY_OFFSET = REMOTE_ADDRESS_OFFSET + Long.BYTES;
    static final int IMMEDIATE_OFFSET = REMOTE_KEY_OFFSET + Integer.BYTES;

    private static final int PIECE_LENGTH_OFFSET = Long.BYTES;
    private static final int PIECE_KEY_OFFSET = PIECE_LENGTH_OFFSET + Integer.BYTES;

    private final UnsafeBuffer buffer;

    /** @param capacity the most requests. */
    public SendRequests(final int capacity) {
        buffer = new UnsafeBuffer(
                ByteBuffer.allocateDirect(capacity * LENGTH + LENGTH).order(ByteOrder.nativeOrder()));
        final int shift = (int) (BitUtil.align(buffer.addressOffset(), LENGTH) - buffer.addressOffset());
        buffer.wrap(buffer.byteBuffer(), shift, capacity * LENGTH);
    }

    /** The most requests. */
    public int capacity() {
        return buffer.capacity() / LENGTH;
    }

    /** Where request 0 is in memory. */
    public long address() {
        return buffer.addressOffset();
    }

    /**
     * Fills a request in, with one piece and nothing remote.
     *
     * @param index     of the request.
     * @param id        for its completion.
     * @param operation one of {@link #SEND}, {@link #WRITE}, {@link #WRITE_WITH_IMMEDIATE}, {@link #READ}.
     * @param flags     of {@link #SIGNALLED}, {@link #INLINE}, {@link #FENCE}.
     * @param address   of the first byte, registered unless inline.
     * @param length    in bytes.
     * @param localKey  of the memory.
     */
    public void put(
            final int index,
            final long id,
            final int operation,
            final int flags,
            final long address,
            final int length,
            final int localKey) {
        final int offset = index * LENGTH;
        buffer.putLong(offset + ID_OFFSET, id);
        buffer.putInt(offset + OPERATION_OFFSET, operation);
        buffer.putInt(offset + FLAGS_OFFSET, flags);
        putPiece(offset + FIRST_OFFSET, address, length, localKey);
        putPiece(offset + SECOND_OFFSET, 0, 0, 0);
        putRemote(index, 0, 0, 0);
    }

    /**
     * Adds a second piece.
     *
     * @param index    of the request.
     * @param address  of the first byte.
     * @param length   in bytes.
     * @param localKey of the memory.
     */
    public void putSecond(final int index, final long address, final int length, final int localKey) {
        putPiece(index * LENGTH + SECOND_OFFSET, address, length, localKey);
    }

    /**
     * Adds what a write or a read needs.
     *
     * @param index         of the request.
     * @param remoteAddress in the peer's memory.
     * @param remoteKey     that the peer gave.
     * @param immediate     the number, in this machine's byte order, for {@link #WRITE_WITH_IMMEDIATE}.
     */
    public void putRemote(final int index, final long remoteAddress, final int remoteKey, final int immediate) {
        final int offset = index * LENGTH;
        buffer.putLong(offset + REMOTE_ADDRESS_OFFSET, remoteAddress);
        buffer.putInt(offset + REMOTE_KEY_OFFSET, remoteKey);
        buffer.putInt(offset + IMMEDIATE_OFFSET, immediate);
    }

    private void putPiece(final int offset, final long address, final int length, final int key) {
        buffer.putLong(offset, address);
        buffer.putInt(offset + PIECE_LENGTH_OFFSET, length);
        buffer.putInt(offset + PIECE_KEY_OFFSET, key);
    }

    public long id(final int index) {
        return buffer.getLong(index * LENGTH + ID_OFFSET);
    }

    public int operation(final int index) {
        return buffer.getInt(index * LENGTH + OPERATION_OFFSET);
    }

    public int flags(final int index) {
        return buffer.getInt(index * LENGTH + FLAGS_OFFSET);
    }

    public long address(final int index) {
        return buffer.getLong(index * LENGTH + FIRST_OFFSET);
    }

    public int length(final int index) {
        return buffer.getInt(index * LENGTH + FIRST_OFFSET + PIECE_LENGTH_OFFSET);
    }

    public int localKey(final int index) {
        return buffer.getInt(index * LENGTH + FIRST_OFFSET + PIECE_KEY_OFFSET);
    }

    public long secondAddress(final int index) {
        return buffer.getLong(index * LENGTH + SECOND_OFFSET);
    }

    public int secondLength(final int index) {
        return buffer.getInt(index * LENGTH + SECOND_OFFSET + PIECE_LENGTH_OFFSET);
    }

    public int secondLocalKey(final int index) {
        return buffer.getInt(index * LENGTH + SECOND_OFFSET + PIECE_KEY_OFFSET);
    }

    public long remoteAddress(final int index) {
        return buffer.getLong(index * LENGTH + REMOTE_ADDRESS_OFFSET);
    }

    public int remoteKey(final int index) {
        return buffer.getInt(index * LENGTH + REMOTE_KEY_OFFSET);
    }

    public int immediate(final int index) {
        return buffer.getInt(index * LENGTH + IMMEDIATE_OFFSET);
    }
}
