package io.penstock.standalone.bench.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.HdrHistogram.Histogram;

/**
 * The least that lasting costs on this disk: 4 KiB written into a file that was written before, and synced, one after the
 * other at an even pace.
 */
final class RawDisk implements AutoCloseable {
    private static final int BLOCK_LENGTH = 4096;
    private static final int FILE_LENGTH = 64 * 1024 * 1024;

    private final Path file;
    private final FileChannel channel;
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_LENGTH);
    private long position;

    RawDisk(final Path directory) throws IOException {
        file = directory.resolve("raw.tmp");
        channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        for (int written = 0; written < FILE_LENGTH; written += BLOCK_LENGTH) {
            channel.write(block.clear(), written);
        }
        channel.force(true);
    }

    /**
     * Writes and syncs at a pace, and takes the time of each from when it was meant.
     *
     * @param rate    a second.
     * @param seconds for which.
     * @return latencies in nanoseconds.
     */
    Histogram run(final double rate, final double seconds) throws IOException {
        final Histogram latencies = Latencies.histogram();
        final double intervalNs = 1e9 / rate;
        final long startNs = System.nanoTime();
        final long count = (long) (rate * seconds);
        for (long i = 0; i < count; i++) {
            final long meantNs = startNs + (long) (i * intervalNs);
            while (System.nanoTime() < meantNs) {
                Thread.onSpinWait();
            }
            channel.write(block.clear(), position);
            channel.force(false);
            position = (position + BLOCK_LENGTH) % FILE_LENGTH;
            Latencies.record(latencies, System.nanoTime() - meantNs);
        }
        return latencies;
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.delete(file);
    }
}
