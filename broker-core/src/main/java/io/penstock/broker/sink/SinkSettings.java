package io.penstock.broker.sink;

/**
 * A sink, as it was configured.
 *
 * @param name      that producers use.
 * @param file      name of the file in the sinks' directory; the index has {@link #INDEX_SUFFIX} behind it.
 * @param lengthMax of the file in bytes; 0 for no bound.
 * @param isSynced  whether blocks are on stable storage when their producers are notified.
 */
public record SinkSettings(String name, String file, long lengthMax, boolean isSynced) {
    public static final String INDEX_SUFFIX = ".blocks";

    /** The name of the index. */
    public String index() {
        return file + INDEX_SUFFIX;
    }
}
