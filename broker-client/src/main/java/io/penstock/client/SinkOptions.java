package io.penstock.client;

/**
 * How blocks are delivered to a sink. Immutable.
 *
 * @param producer    whose blocks these are, over connections: the same name goes on where it was, and is one writer's
 *                    at a time. Empty for a name that nobody else has.
 * @param blockLength longest block in bytes.
 * @param blockCount  blocks that can be filled or on their way at once; with {@code blockLength} all the memory that
 *                    the writer takes.
 * @param listener    notified of the result for each block.
 */
public record SinkOptions(String producer, int blockLength, int blockCount, BlockListener listener) {
    public static final int BLOCK_LENGTH_DEFAULT = 2 << 20;
    public static final int BLOCK_COUNT_DEFAULT = 4;
    public static final int BLOCK_COUNT_MAX = 512;

    private static final int BLOCK_LENGTH_MAX = 1 << 30;

    public SinkOptions {
        if (blockLength < 1 || blockLength > BLOCK_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "sink: blockLength is out of range: " + blockLength + " (use 1 to " + BLOCK_LENGTH_MAX + ")");
        }
        if (blockCount < 1 || blockCount > BLOCK_COUNT_MAX) {
            throw new IllegalArgumentException(
                    "sink: blockCount is out of range: " + blockCount + " (use 1 to " + BLOCK_COUNT_MAX + ")");
        }
        if ((long) blockLength * blockCount > Integer.MAX_VALUE - (1 << 16)) {
            throw new IllegalArgumentException("sink: blocks take more than 2 GiB: " + blockCount + " of " + blockLength
                    + " bytes (use fewer or shorter ones)");
        }
    }

    /**
     * Options with a number of blocks of a length.
     *
     * @param blockLength longest block in bytes.
     * @param blockCount  blocks at once.
     * @return options without a producer's name and listener.
     */
    public static SinkOptions of(final int blockLength, final int blockCount) {
        return new SinkOptions("", blockLength, blockCount, BlockListener.NONE);
    }

    /** Four blocks of 2 MiB. */
    public static SinkOptions defaults() {
        return of(BLOCK_LENGTH_DEFAULT, BLOCK_COUNT_DEFAULT);
    }

    /** The same with a producer's name. */
    public SinkOptions producer(final String value) {
        return new SinkOptions(value, blockLength, blockCount, listener);
    }

    /** The same with a listener. */
    public SinkOptions listener(final BlockListener value) {
        return new SinkOptions(producer, blockLength, blockCount, value);
    }
}
