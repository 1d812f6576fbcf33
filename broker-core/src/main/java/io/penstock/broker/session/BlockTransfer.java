package io.penstock.broker.session;

/**
 * A block on its way from its producer to a sink. The sink agent gives it room; from then on the I/O agent fills that until
 * it says that the block is complete.
 */
public final class BlockTransfer {
    private final SinkWriter writer;
    private final long commandId;
    private final long blockId;
    private final long memoryOffset;
    private final int length;
    private final int checksum;
    private int offset = -1;

    /** The I/O agent's: bytes that have come. */
    int received;

    /** The I/O agent's: whether the producer was told to send it. */
    boolean isGranted;

    BlockTransfer(
            final SinkWriter writer,
            final long commandId,
            final long blockId,
            final long memoryOffset,
            final int length,
            final int checksum) {
        this.writer = writer;
        this.commandId = commandId;
        this.blockId = blockId;
        this.memoryOffset = memoryOffset;
        this.length = length;
        this.checksum = checksum;
    }

    public SinkWriter writer() {
        return writer;
    }

    /** The command that offered it. */
    public long commandId() {
        return commandId;
    }

    public long blockId() {
        return blockId;
    }

    /** Where it lies in the writer's memory; -1 when it is sent. */
    public long memoryOffset() {
        return memoryOffset;
    }

    /** In bytes, above 0. */
    public int length() {
        return length;
    }

    /** CRC32C as the producer has computed it. */
    public int checksum() {
        return checksum;
    }

    /** Where its room begins in the sink agent's memory; -1 while it has none. */
    public int offset() {
        return offset;
    }

    /**
     * Gives it room, or takes that away. Called by the sink agent.
     *
     * @param value offset in the memory, or -1.
     */
    public void offset(final int value) {
        offset = value;
    }
}
