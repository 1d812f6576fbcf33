package io.penstock.transport.stream;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A piece of off-heap memory, seen as both kinds of buffer. */
public final class Chunk {
    private final ByteBuffer bytes;
    private final UnsafeBuffer buffer;
    private final int length;

    /**
     * Takes memory.
     *
     * @param length in bytes.
     */
    public Chunk(final int length) {
        this.bytes = ByteBuffer.allocateDirect(length);
        this.buffer = new UnsafeBuffer(bytes);
        this.length = length;
    }

    /** Its length in bytes. */
    public int length() {
        return length;
    }

    /** All of it. */
    public UnsafeBuffer buffer() {
        return buffer;
    }

    /** Where it lies. */
    public long address() {
        return buffer.addressOffset();
    }

    /** The one view of this chunk as bytes, positioned anew by each call. */
    public ByteBuffer bytes(final int offset, final int count) {
        return bytes.limit(offset + count).position(offset);
    }

    /** The memory itself, for its end. */
    public ByteBuffer memory() {
        return bytes;
    }
}
