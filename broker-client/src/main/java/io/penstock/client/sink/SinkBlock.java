package io.penstock.client.sink;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Internal: memory for one block, outside the heap, behind a {@link io.penstock.client.Block}. It belongs to the thread that
 * claimed it until it is submitted or released, and to the client's thread from then on.
 */
public final class SinkBlock {
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private final SinkWriter writer;
    private final int index;
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

    SinkBlock(final SinkWriter writer, final int index, final int memoryOffset) {
        this.writer = writer;
        this.index = index;
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

    /** Internal: its place among the blocks of its writer, from 0. */
    public int index() {
        return index;
    }

    /** Internal: the block's memory. */
    public MutableDirectBuffer buffer() {
        return buffer;
    }

    /** Internal: the same memory, for channels. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** Internal: hands the block over. */
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

    /** Internal: gives the block back without delivering it. */
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
