package io.penstock.transport;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory of this side, from which the peer of one connection may pull bytes while nobody writes to them. It outlasts the
 * connection: its owner closes it. Its bytes may be used by any thread.
 */
public interface LentMemory extends AutoCloseable {
    /**
     * What the peer has to be told so that it can pull; good for the connection that the memory was made for, and once.
     *
     * @return printable text of at most 255 characters.
     */
    String key();

    /**
     * The memory.
     *
     * @return its bytes, from the first one on; not to be used after {@link #close()}.
     */
    UnsafeBuffer buffer();

    /** Frees the memory. Idempotent. */
    @Override
    void close();
}
