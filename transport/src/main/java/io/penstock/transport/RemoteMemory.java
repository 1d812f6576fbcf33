package io.penstock.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Memory of a peer, from which this side pulls bytes without any help of the peer's program. Its content may change at
 * any time, and the memory may disappear: a pull brings the bytes that were there, or fails. Used by one thread at a
 * time, which need not be that of the connection.
 */
public interface RemoteMemory extends AutoCloseable {
    /**
     * How much there is.
     *
     * @return length in bytes, as the peer has said and this side has checked.
     */
    long length();

    /**
     * Copies bytes out of the memory. Returns when they are there.
     *
     * @param offset of the first one; with what remains in the buffer within {@link #length()}.
     * @param into   direct buffer; filled up to its limit.
     * @throws IOException when the memory is not there any more, or is shorter than the peer has said.
     */
    void pull(long offset, ByteBuffer into) throws IOException;

    /** Lets go of the memory. Idempotent. */
    @Override
    void close();
}
