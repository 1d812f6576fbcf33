package io.penstock.broker;

import io.penstock.broker.sink.BlockMemory;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Files that producers deliver blocks to, and the bounds of that.
 *
 * @param directory        of the files, made if it is not there; one broker at a time. Empty for no sinks.
 * @param files            the sinks.
 * @param memoryLength     for blocks on their way, in bytes, a power of two; producers wait for their turn at the bound.
 * @param blockLengthMax   longest block in bytes.
 * @param producerCountMax names of producers that each sink remembers, those of open writers included.
 */
public record SinksConfig(
        String directory, List<SinkConfig> files, int memoryLength, int blockLengthMax, int producerCountMax) {
    public static final int MEMORY_LENGTH_DEFAULT = 128 << 20;
    public static final int BLOCK_LENGTH_MAX_DEFAULT = 64 << 20;
    public static final int PRODUCER_COUNT_MAX_DEFAULT = 10_000;

    private static final int BLOCK_LENGTH_MIN = 1024;
    private static final int PRODUCER_COUNT_LIMIT = 1_000_000;

    public SinksConfig {
        files = List.copyOf(files);
        Limits.check("sinks.memoryLength", memoryLength, BlockMemory.PIECE_LENGTH_MIN, 1 << 30);
        if (Integer.bitCount(memoryLength) != 1) {
            throw new IllegalArgumentException("sinks.memoryLength: not a power of two: " + memoryLength + " (use "
                    + Integer.highestOneBit(memoryLength) + ")");
        }
        Limits.check("sinks.blockLengthMax", blockLengthMax, BLOCK_LENGTH_MIN, memoryLength);
        Limits.check("sinks.producerCountMax", producerCountMax, 1, PRODUCER_COUNT_LIMIT);
        if (directory.isEmpty() && !files.isEmpty()) {
            throw new IllegalArgumentException("sinks.directory: empty (name the directory of the sinks' files)");
        }
        final Set<String> taken = new HashSet<>();
        for (final SinkConfig file : files) {
            if (!taken.add("name " + file.name())
                    || !taken.add("file " + file.settings().file())) {
                throw new IllegalArgumentException(
                        "sinks.files.name: name or file twice: " + file.name() + " (give each sink its own)");
            }
        }
    }

    /** No sinks. */
    public static SinksConfig none() {
        return in("");
    }

    /**
     * Sinks in a directory, with the default for the bounds.
     *
     * @param directory of the files.
     * @param files     the sinks.
     * @return the configuration.
     */
    public static SinksConfig in(final String directory, final SinkConfig... files) {
        return new SinksConfig(
                directory, List.of(files), MEMORY_LENGTH_DEFAULT, BLOCK_LENGTH_MAX_DEFAULT, PRODUCER_COUNT_MAX_DEFAULT);
    }

    /** The same with other bounds of memory. */
    public SinksConfig withMemory(final int length, final int blockLength) {
        return new SinksConfig(directory, files, length, blockLength, producerCountMax);
    }

    /** Whether there are sinks. */
    public boolean isUsed() {
        return !files.isEmpty();
    }
}
