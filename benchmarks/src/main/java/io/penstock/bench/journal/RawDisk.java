package io.penstock.bench.journal;

import io.penstock.broker.storage.AlignedBuffer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * The least that lasting costs on this disk: blocks written into a file that was written before, and synced, through the
 * page cache or past it.
 */
final class RawDisk implements AutoCloseable {
    private static final int BLOCK_LENGTH = AlignedBuffer.BLOCK_LENGTH;
    private static final int PIECE_LENGTH = 1024 * 1024;
    private static final int FILE_LENGTH = 64 * PIECE_LENGTH;

    private final Path file;
    private final FileChannel channel;
    private final AlignedBuffer memory = new AlignedBuffer(PIECE_LENGTH);
    private long position;

    /**
     * @param directory on the disk.
     * @param isDirect  whether past the page cache (O_DIRECT).
     */
    RawDisk(final Path directory, final boolean isDirect) throws IOException {
        file = directory.resolve(isDirect ? "raw-direct.tmp" : "raw.tmp");
        final Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
        if (isDirect) {
            options.add(direct());
        }
        channel = FileChannel.open(file, options);
        for (int written = 0; written < FILE_LENGTH; written += PIECE_LENGTH) {
            write(PIECE_LENGTH);
        }
        channel.force(true);
    }

    /**
     * Writes and syncs 4 KiB at a pace, and takes the time of each from when it was meant.
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
            write(BLOCK_LENGTH);
            channel.force(false);
            Latencies.record(latencies, System.nanoTime() - meantNs);
        }
        return latencies;
    }

    /**
     * Writes and syncs 1 MiB at a time.
     *
     * @param seconds for which.
     * @return MiB a second.
     */
    double runSequential(final double seconds) throws IOException {
        final long startNs = System.nanoTime();
        long count = 0;
        while (System.nanoTime() - startNs < seconds * 1e9) {
            write(PIECE_LENGTH);
            channel.force(false);
            count++;
        }
        return count * 1e9 / (System.nanoTime() - startNs);
    }

    /** An option of the JDK for which the compiler would warn. */
    private static OpenOption direct() throws IOException {
        try {
            for (final Object option : Objects.requireNonNull(
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants())) {
                if (option.toString().equals("DIRECT")) {
                    return (OpenOption) option;
                }
            }
        } catch (final ClassNotFoundException e) {
            throw new IOException("direct I/O: not known to this Java", e);
        }
        throw new IOException("direct I/O: not known to this Java");
    }

    private void write(final int length) throws IOException {
        if (position + length > FILE_LENGTH) {
            position = 0;
        }
        final var bytes = memory.bytes().clear().limit(length);
        while (bytes.hasRemaining()) {
            channel.write(bytes, position + bytes.position());
        }
        position += length;
    }

    @Override
    public void close() throws IOException {
        channel.close();
        memory.free();
        Files.delete(file);
    }
}
