package io.penstock.client;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory for one block, outside the heap. It belongs to the thread that claimed it until it is submitted or released, and
 * to the client's thread from then on.
 */
public final class Block {
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private final BlockWriter writer;
    private final int memoryOffset;
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    boolean isClaimed;
    boolean wasOffered;
    long tag;
    long blockId;
    long commandId;
    int length;
    int checksum;

    /** The agent's: bytes that were sent; -1 while the broker has not asked for them. */
    int sent = -1;

    Block(final BlockWriter writer, final int memoryOffset) {
        this.writer = writer;
        this.memoryOffset = memoryOffset;
    }

    void wrap(final UnsafeBuffer memory, final ByteBuffer memoryBytes, final int blockLength) {
        buffer.wrap(memory, memoryOffset, blockLength);
        bytes = memoryBytes.slice(memoryOffset, blockLength);
    }

    void unwrap() {
        buffer.wrap(0, 0);
        bytes = ByteBuffer.allocate(0);
    }

    /**
     * The block's memory.
     *
     * @return as long as the longest block; what was in it before is undefined.
     */
    public MutableDirectBuffer buffer() {
        return buffer;
    }

    /**
     * The same memory, for channels.
     *
     * @return from its first byte on; position and limit are the claiming thread's.
     */
    public ByteBuffer bytes() {
        return bytes;
    }

    /**
     * Hands the block over, to be delivered after those that were submitted before. It must not be touched any more.
     *
     * @param newLength bytes from the first one on, above 0.
     * @throws PenstockException when the writer or its client is closed.
     */
    public void submit(final int newLength) {
        submit(newLength, 0);
    }

    /**
     * Hands the block over, to be delivered after those that were submitted before. It must not be touched any more.
     *
     * @param newLength bytes from the first one on, above 0.
     * @param newTag    for the listener.
     * @throws PenstockException when the writer or its client is closed.
     */
    public void submit(final int newLength, final long newTag) {
        if (newLength < 1 || newLength > buffer.capacity()) {
            throw new IllegalArgumentException(
                    "submit: length is out of range: " + newLength + " (use 1 to " + buffer.capacity() + ")");
        }
        final CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().clear().limit(newLength));
        checksum = (int) crc.getValue();
        length = newLength;
        tag = newTag;
        writer.submit(this);
    }

    /** Gives the block back without delivering it. */
    public void release() {
        writer.release(this);
    }

    UnsafeBuffer memory() {
        return buffer;
    }

    int memoryOffset() {
        return memoryOffset;
    }
}
