package io.penstock.client;

import io.penstock.client.sink.SinkBlock;
import java.nio.ByteBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Memory for one block, outside the heap. It belongs to the thread that claimed it until it is submitted or released, and
 * to the client's thread from then on.
 */
public final class Block {
    private final SinkBlock block;

    Block(final SinkBlock block) {
        this.block = block;
    }

    /**
     * The block's memory.
     *
     * @return as long as the longest block; what was in it before is undefined.
     */
    public MutableDirectBuffer buffer() {
        return block.buffer();
    }

    /**
     * The same memory, for channels.
     *
     * @return from its first byte on; position and limit are the claiming thread's.
     */
    public ByteBuffer bytes() {
        return block.bytes();
    }

    /**
     * Hands the block over, to be delivered after those that were submitted before. It must not be touched any more.
     *
     * @param newLength bytes from the first one on, above 0.
     * @throws PenstockException when the writer or its client is closed.
     */
    public void submit(final int newLength) {
        block.submit(newLength, 0);
    }

    /**
     * Hands the block over, to be delivered after those that were submitted before. It must not be touched any more.
     *
     * @param newLength bytes from the first one on, above 0.
     * @param newTag    for the listener.
     * @throws PenstockException when the writer or its client is closed.
     */
    public void submit(final int newLength, final long newTag) {
        block.submit(newLength, newTag);
    }

    /** Gives the block back without delivering it. */
    public void release() {
        block.release();
    }
}
