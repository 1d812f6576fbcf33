package io.penstock.broker.sink;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** Which of a producer's blocks are in a sink: of the newest ids each, of older ones none any more. */
public final class Producer {
    /** How many ids, up to the highest, are remembered one by one. */
    public static final int WINDOW = 1024;

    private final long[] bits = new long[WINDOW / Long.SIZE];
    private final byte[] nameBytes;
    private long highest;

    Producer(final String name) {
        nameBytes = name.getBytes(UTF_8);
    }

    /** User and producer in UTF-8, as the index has them. */
    byte[] nameBytes() {
        return nameBytes;
    }

    /** The highest id that was stored; 0 for none. */
    public long highest() {
        return highest;
    }

    /**
     * Whether an id is so old that nobody knows any more whether it was stored.
     *
     * @param blockId above 0.
     * @return true when it is not in the window.
     */
    public boolean isForgotten(final long blockId) {
        return blockId <= highest - WINDOW;
    }

    /**
     * Whether a block is stored.
     *
     * @param blockId that is not forgotten.
     * @return true when it is.
     */
    public boolean isStored(final long blockId) {
        return blockId <= highest && (bits[word(blockId)] & bit(blockId)) != 0;
    }

    void add(final long blockId) {
        if (blockId - highest >= WINDOW) {
            Arrays.fill(bits, 0);
        } else {
            for (long id = highest + 1; id < blockId; id++) {
                bits[word(id)] &= ~bit(id);
            }
        }
        highest = Math.max(highest, blockId);
        bits[word(blockId)] |= bit(blockId);
    }

    void remove(final long blockId) {
        bits[word(blockId)] &= ~bit(blockId);
    }

    private static int word(final long blockId) {
        return (int) (blockId & WINDOW - 1) >>> 6;
    }

    private static long bit(final long blockId) {
        return 1L << blockId;
    }
}
