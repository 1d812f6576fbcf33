package io.penstock.standalone.message;

import io.penstock.client.Block;
import io.penstock.client.BlockWriter;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.time.Duration;

/** Reads files into blocks, on a thread of its own. */
final class PutProducer implements AutoCloseable {
    private static final String STANDARD_INPUT = "-";

    private final PenstockClient client;
    private final BlockWriter writer;
    private final PutWork work;
    private final Duration timeout;
    private final Thread thread;

    PutProducer(
            final int index,
            final PenstockClient client,
            final BlockWriter writer,
            final PutWork work,
            final Duration timeout) {
        this.client = client;
        this.writer = writer;
        this.work = work;
        this.timeout = timeout;
        thread = new Thread(this::run, "penstock-put-" + index);
        thread.setDaemon(true);
    }

    BlockWriter writer() {
        return writer;
    }

    void start() {
        thread.start();
    }

    /** Waits for a time; returns whether the work is done. */
    boolean join(final long ms) throws InterruptedException {
        thread.join(ms);
        return !thread.isAlive();
    }

    private void run() {
        String file;
        while ((file = work.next()) != null) {
            try (ReadableByteChannel from = open(file)) {
                deliver(from);
                writer.flush(timeout);
                work.onDone();
            } catch (final IOException e) {
                work.onFailed(file + ": cannot be read: " + e.getMessage() + " (what came before is stored)");
            } catch (final PenstockException e) {
                work.onFailed(file + ": " + e.getMessage());
            }
        }
    }

    private static ReadableByteChannel open(final String file) throws IOException {
        return file.equals(STANDARD_INPUT) ? Channels.newChannel(System.in) : FileChannel.open(Path.of(file));
    }

    private void deliver(final ReadableByteChannel from) throws IOException {
        boolean isAtEnd = false;
        while (!isAtEnd) {
            final Block block = writer.claim(timeout);
            boolean isSubmitted = false;
            try {
                final ByteBuffer bytes = block.bytes().clear();
                while (bytes.hasRemaining() && !isAtEnd) {
                    isAtEnd = from.read(bytes) < 0;
                }
                if (bytes.position() > 0) {
                    isSubmitted = true;
                    block.submit(bytes.position());
                }
            } finally {
                if (!isSubmitted) {
                    block.release();
                }
            }
        }
    }

    @Override
    public void close() {
        try (client) {
            writer.close();
        } catch (final PenstockException ignored) {
            // Was said of the file.
        }
    }
}
