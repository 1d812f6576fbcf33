package io.penstock.transport;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory of this side, from which the peer of one connection may pull bytes while nobody writes to them. It outlasts the
 * connection: its owner closes it. Its bytes may be used by any thread.
 */
public interface LentMemory extends AutoCloseable {
    /**
     * The key that the peer needs to pull; valid once, for the connection that the memory was made for.
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
