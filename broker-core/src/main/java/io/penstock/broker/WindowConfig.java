package io.penstock.broker;

/**
 * The log window of each shard: the messages kept in memory for subscribers that are behind.
 *
 * @param segmentLength in bytes, a power of two; the longest message takes at most half of one.
 * @param segmentCount  segments in the window; all but one hold messages at any time.
 */
public record WindowConfig(int segmentLength, int segmentCount) {
    public static final int SEGMENT_LENGTH_DEFAULT = 32 * 1024 * 1024;
    public static final int SEGMENT_LENGTH_MIN = 16 * 1024;
    public static final int SEGMENT_LENGTH_MAX = 1024 * 1024 * 1024;
    public static final int SEGMENT_COUNT_DEFAULT = 4;
    public static final int SEGMENT_COUNT_MIN = 3;
    public static final int SEGMENT_COUNT_MAX = 1024;

    public WindowConfig {
        if (Integer.bitCount(segmentLength) != 1) {
            throw new IllegalArgumentException(
                    "window.segmentLength: not a power of two: " + segmentLength + " (use 33554432)");
        }
        Limits.check("window.segmentLength", segmentLength, SEGMENT_LENGTH_MIN, SEGMENT_LENGTH_MAX);
        Limits.check("window.segmentCount", segmentCount, SEGMENT_COUNT_MIN, SEGMENT_COUNT_MAX);
    }

    public static WindowConfig defaults() {
        return new WindowConfig(SEGMENT_LENGTH_DEFAULT, SEGMENT_COUNT_DEFAULT);
    }
}
