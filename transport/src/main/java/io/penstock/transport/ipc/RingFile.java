package io.penstock.transport.ipc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The file that the two ends of a connection map. The one that connects makes it; it has no name any more when the other
 * one has mapped it, so that it is gone when both are.
 *
 * <pre>
 *      0  connector's words    tail of the ring that it writes; head of the one that it reads; whether it wants
 *                              to be rung, or waits for room; whether it has closed
 *   2048  acceptor's words     the same
 *   4096  connector's ring
 *   4096 + RING_LENGTH         acceptor's ring
 * </pre>
 */
final class RingFile implements AutoCloseable {
    static final int RING_LENGTH = 1024 * 1024;
    static final int CONNECTOR = 0;
    static final int ACCEPTOR = 1;

    static final int TAIL_OFFSET = 0;
    static final int HEAD_OFFSET = 256;
    static final int WANTS_BELL_OFFSET = 512;
    static final int WAITS_FOR_ROOM_OFFSET = 768;
    static final int IS_CLOSED_OFFSET = 1024;

    private static final int WORDS_LENGTH = 2048;
    private static final int RINGS_OFFSET = 2 * WORDS_LENGTH;
    static final int LENGTH = RINGS_OFFSET + 2 * RING_LENGTH;

    private static final int PIECE_LENGTH = 256 * 1024;

    private final Path directory;
    private final MappedByteBuffer mapped;
    private final UnsafeBuffer buffer;

    private RingFile(final Path path, final MappedByteBuffer mapped) {
        directory = path.resolveSibling("");
        this.mapped = mapped;
        buffer = new UnsafeBuffer(mapped);
    }

    /** Makes a file. All of it is written, so that the system has no reason to fail when the memory is used. */
    static RingFile make(final Path path) throws IOException {
        final Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try (FileChannel file = FileChannel.open(path, options, Owner.FILE_MODE)) {
            fill(file);
            return new RingFile(path, file.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH));
        } catch (final IOException ex) {
            Files.deleteIfExists(path);
            throw new IOException(
                    "no " + LENGTH + " bytes for the file " + path + ": " + ex.getMessage()
                            + " (make room there, or use ipc:/path with a directory elsewhere)",
                    ex);
        }
    }

    private static void fill(final FileChannel file) throws IOException {
        final ByteBuffer zeros = ByteBuffer.allocate(PIECE_LENGTH);
        for (int left = LENGTH; left > 0; ) {
            zeros.clear().limit(Math.min(left, PIECE_LENGTH));
            left -= file.write(zeros);
        }
    }

    /** Maps the file that a peer made, and takes its name away. */
    static RingFile take(final Path path) throws IOException {
        Owner.checkFile(path);
        try (FileChannel file = FileChannel.open(
                path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
            if (file.size() != LENGTH) {
                throw new IOException("file has another length: " + file.size() + " (it is " + LENGTH
                        + "; use the same version of Penstock at both ends)");
            }
            return new RingFile(path, file.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH));
        } finally {
            Files.deleteIfExists(path);
        }
    }

    /** Of both ends; its memory is gone when this is closed. */
    UnsafeBuffer buffer() {
        return buffer;
    }

    /** That it was made in. */
    Path directory() {
        return directory;
    }

    /** Where an end's words are. */
    static int words(final int end) {
        return end * WORDS_LENGTH;
    }

    /** Where the ring is that an end writes. */
    static int ring(final int end) {
        return RINGS_OFFSET + end * RING_LENGTH;
    }

    @Override
    public void close() {
        BufferUtil.free(mapped);
    }
}
