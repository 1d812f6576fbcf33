package io.penstock.broker.storage;

import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Memory outside the heap that begins at a multiple of a block, as direct I/O wants it. Has one owner, who frees it. */
public final class AlignedBuffer {
    /** Positions, lengths and addresses of direct I/O are multiples of this, in bytes. */
    public static final int BLOCK_LENGTH = 4096;

    private final ByteBuffer memory;
    private final ByteBuffer bytes;
    private final UnsafeBuffer buffer;

    /**
     * Takes memory.
     *
     * @param length in bytes, made up to a multiple of a block.
     */
    public AlignedBuffer(final int length) {
        final int aligned = BitUtil.align(length, BLOCK_LENGTH);
        memory = ByteBuffer.allocateDirect(aligned + BLOCK_LENGTH);
        final int offset = (int) (-BufferUtil.address(memory) & (BLOCK_LENGTH - 1));
        bytes = memory.slice(offset, aligned);
        buffer = new UnsafeBuffer(bytes);
    }

    /** The memory for reading and writing files; position and limit are its owner's. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** The memory for everything else. */
    public UnsafeBuffer buffer() {
        return buffer;
    }

    public int capacity() {
        return bytes.capacity();
    }

    /** Gives the memory back. */
    public void free() {
        BufferUtil.free(memory);
    }
}
