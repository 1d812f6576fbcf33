package io.penstock.broker;

/**
 * The log window of each shard: the messages kept in memory for live and lagging subscribers.
 *
 * @param segmentLength in bytes, a power of two; the longest message takes at most half of one.
 * @param segmentCount  segments in the window; all but one hold messages at any time.
 * @param hugePages     whether the system is asked for huge pages; a system without them gives others.
 * @param node          NUMA node that the memory is taken from, counted from 0; {@link #ANY_NODE} leaves it to the
 *                      system.
 */
public record WindowConfig(int segmentLength, int segmentCount, boolean hugePages, int node) {
    public static final int SEGMENT_LENGTH_DEFAULT = 32 * 1024 * 1024;
    public static final int SEGMENT_LENGTH_MIN = 16 * 1024;
    public static final int SEGMENT_LENGTH_MAX = 1024 * 1024 * 1024;
    public static final int SEGMENT_COUNT_DEFAULT = 4;
    public static final int SEGMENT_COUNT_MIN = 3;
    public static final int SEGMENT_COUNT_MAX = 1024;

    /** Memory lies where the system puts it. */
    public static final int ANY_NODE = -1;

    private static final int NODE_MAX = 1023;

    public WindowConfig {
        if (Integer.bitCount(segmentLength) != 1) {
            throw new IllegalArgumentException(
                    "window.segmentLength: not a power of two: " + segmentLength + " (use 33554432)");
        }
        Limits.check("window.segmentLength", segmentLength, SEGMENT_LENGTH_MIN, SEGMENT_LENGTH_MAX);
        Limits.check("window.segmentCount", segmentCount, SEGMENT_COUNT_MIN, SEGMENT_COUNT_MAX);
        Limits.check("window.node", node, ANY_NODE, NODE_MAX);
    }

    /**
     * With huge pages where the system has some, wherever it puts them.
     *
     * @param segmentLength in bytes, a power of two.
     * @param segmentCount  segments in the window.
     */
    public WindowConfig(final int segmentLength, final int segmentCount) {
        this(segmentLength, segmentCount, true, ANY_NODE);
    }

    public static WindowConfig defaults() {
        return new WindowConfig(SEGMENT_LENGTH_DEFAULT, SEGMENT_COUNT_DEFAULT);
    }
}
