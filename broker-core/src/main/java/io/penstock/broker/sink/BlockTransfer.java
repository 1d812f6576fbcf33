package io.penstock.broker.sink;

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

    private int received;
    private boolean isGranted;

    /**
     * Makes one that has no room yet.
     *
     * @param writer       that offers it.
     * @param commandId    that offers it.
     * @param blockId      of its producer.
     * @param memoryOffset where it lies in the writer's memory; -1 when it is sent.
     * @param length       in bytes, above 0.
     * @param checksum     CRC32C as the producer has computed it.
     */
    public BlockTransfer(
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

    /** Length in bytes, above 0. */
    public int length() {
        return length;
    }

    /** CRC32C as the producer has computed it. */
    public int checksum() {
        return checksum;
    }

    /** The I/O agent's: bytes that have come. */
    public int received() {
        return received;
    }

    /** More bytes have come. Called by the I/O agent. */
    public void onReceived(final int byteCount) {
        received += byteCount;
    }

    /** The I/O agent's: whether the producer was asked to send it. */
    public boolean isGranted() {
        return isGranted;
    }

    /** Called by the I/O agent. */
    public void isGranted(final boolean value) {
        isGranted = value;
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
