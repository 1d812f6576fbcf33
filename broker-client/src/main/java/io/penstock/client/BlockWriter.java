package io.penstock.client;

import io.penstock.client.sink.SinkWriter;
import java.time.Duration;

/**
 * Delivers blocks to a sink. Threads claim blocks, fill them and submit them; each is merged into the sink as a whole.
 * All the memory for that is taken when the writer is opened: when every block is filled or on its way, the next claim
 * waits. Blocks that are not stored when a connection is lost are delivered again over the next one, and stored once.
 *
 * <p>Safe on any thread; a block is one thread's at a time.
 */
public final class BlockWriter implements AutoCloseable {
    private final SinkWriter writer;
    private final Block[] blocks;

    BlockWriter(final SinkWriter writer, final int blockCount) {
        this.writer = writer;
        blocks = new Block[blockCount];
        for (int i = 0; i < blockCount; i++) {
            blocks[i] = new Block(writer.block(i));
        }
    }

    /** Name of the sink. */
    public String sink() {
        return writer.sink();
    }

    /** The producer's name, as it stands in the sink's index. */
    public String producer() {
        return writer.producer();
    }

    /**
     * All the memory that this writer ever takes for blocks.
     *
     * @return length in bytes.
     */
    public long memoryLength() {
        return writer.memoryLength();
    }

    /**
     * How long it took to make the memory and to register it with the medium, where that has to be done.
     *
     * @return the time, known once the writer is open.
     */
    public Duration registrationTime() {
        return Duration.ofNanos(writer.registrationNs());
    }

    /**
     * Whether the broker pulls blocks out of this writer's memory now, rather than being sent them.
     *
     * @return as of the present connection.
     */
    public boolean isPulled() {
        return writer.isPulled();
    }

    /** Blocks that are stored. */
    public long storedCount() {
        return writer.storedCount();
    }

    /** Bytes of the blocks that are stored. */
    public long storedLength() {
        return writer.storedLength();
    }

    /** Blocks that were offered again because a connection was lost. */
    public long resentCount() {
        return writer.resentCount();
    }

    /**
     * Takes a block to fill, and waits while there is none.
     *
     * @param timeout the longest wait.
     * @return a block, to be submitted or released.
     * @throws BackPressureException when all blocks were in use for so long.
     * @throws PenstockException     when the writer or its client is closed.
     */
    public Block claim(final Duration timeout) {
        return blocks[writer.claim(timeout).index()];
    }

    /**
     * Waits until all blocks that were submitted before are stored.
     *
     * @param timeout the longest wait.
     * @throws NoReplyException  when it took longer.
     * @throws PenstockException when one was not stored; the first one of those since the last flush.
     */
    public void flush(final Duration timeout) {
        writer.flush(timeout);
    }

    /**
     * Waits for at most {@link ClientConfig#closeTimeoutNs()} until what was submitted is stored, and gives the memory
     * back. Blocks that are claimed must not be used any more. Idempotent.
     *
     * @throws PenstockException when something is not stored.
     */
    @Override
    public void close() {
        writer.close();
    }
}
