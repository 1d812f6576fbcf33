package io.penstock.transport.rdma.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Requests for {@link VerbsEndpoint#postReceives}, in native memory, in the machine's byte order.
 *
 * <pre>
 *      0               4               8              12              16              20              24
 *     +-------------------------------+-------------------------------+---------------+---------------+
 *     | id                            | address                       | length        | local key     |
 *     +-------------------------------+-------------------------------+---------------+---------------+
 * </pre>
 *
 * <p>Owned by one thread.
 */
public final class ReceiveRequests {
    public static final int LENGTH = 24;

    static final int ID_OFFSET = 0;
    static final int ADDRESS_OFFSET = ID_OFFSET + Long.BYTES;
    static final int LENGTH_OFFSET = ADDRESS_OFFSET + Long.BYTES;
    static final int KEY_OFFSET = LENGTH_OFFSET + Integer.BYTES;

    private final UnsafeBuffer buffer;

    /** @param capacity the most requests. */
    public ReceiveRequests(final int capacity) {
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity * LENGTH).order(ByteOrder.nativeOrder()));
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
     * Fills a request in.
     *
     * @param index    of the request.
     * @param id       for its completion.
     * @param address  of the memory to fill, registered.
     * @param length   in bytes; 0 when only a number is to come.
     * @param localKey of the memory.
     */
    public void put(final int index, final long id, final long address, final int length, final int localKey) {
        final int offset = index * LENGTH;
        buffer.putLong(offset + ID_OFFSET, id);
        buffer.putLong(offset + ADDRESS_OFFSET, address);
        buffer.putInt(offset + LENGTH_OFFSET, length);
        buffer.putInt(offset + KEY_OFFSET, localKey);
    }

    public long id(final int index) {
        return buffer.getLong(index * LENGTH + ID_OFFSET);
    }

    public long address(final int index) {
        return buffer.getLong(index * LENGTH + ADDRESS_OFFSET);
    }

    public int length(final int index) {
        return buffer.getInt(index * LENGTH + LENGTH_OFFSET);
    }

    public int localKey(final int index) {
        return buffer.getInt(index * LENGTH + KEY_OFFSET);
    }
}
