package io.penstock.transport.tcp;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A piece of off-heap memory, seen as both kinds of buffer. */
final class Chunk {
    private final ByteBuffer bytes;
    private final UnsafeBuffer buffer;
    private final int length;

    Chunk(final int length) {
        this.bytes = ByteBuffer.allocateDirect(length);
        this.buffer = new UnsafeBuffer(bytes);
        this.length = length;
    }

    int length() {
        return length;
    }

    UnsafeBuffer buffer() {
        return buffer;
    }

    long address() {
        return buffer.addressOffset();
    }

    /** The one view of this chunk as bytes, positioned anew by each call. */
    ByteBuffer bytes(final int offset, final int count) {
        return bytes.limit(offset + count).position(offset);
    }

    /** The memory itself, for its end. */
    ByteBuffer memory() {
        return bytes;
    }
}
