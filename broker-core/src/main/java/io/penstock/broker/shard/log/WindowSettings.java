package io.penstock.broker.shard.log;

/**
 * How large a window is, and where its memory lies.
 *
 * @param segmentLength in bytes, a power of two.
 * @param segmentCount  segments.
 * @param isHuge        whether to ask the system for huge pages.
 * @param node          NUMA node of the memory; {@link #ANY_NODE} leaves it to the system.
 */
public record WindowSettings(int segmentLength, int segmentCount, boolean isHuge, int node) {
    /** Memory lies where the system puts it. */
    public static final int ANY_NODE = -1;

    /**
     * Plain pages, wherever the system puts them.
     *
     * @param segmentLength in bytes, a power of two.
     * @param segmentCount  segments.
     * @return the settings.
     */
    public static WindowSettings of(final int segmentLength, final int segmentCount) {
        return new WindowSettings(segmentLength, segmentCount, false, ANY_NODE);
    }
}
