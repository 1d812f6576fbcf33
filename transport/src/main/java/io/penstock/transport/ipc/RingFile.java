package io.penstock.transport.ipc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The file that the two ends of a connection map. The connecting end makes it. Once the other end has mapped it, it has no name any more, so the system frees it when both ends have closed it.
 *
 * <pre>
 *      0  connector's words    tail of the ring that it writes; head of the one that it reads; whether, and how, it
 *                              wants to be rung, or waits for room; whether it has closed; whether it can ring by
 *                              futex, and the word that it waits for
 *   2048  acceptor's words     the same
 *   4096  connector's ring, then acceptor's ring, of equal lengths, which follow from that of the file
 * </pre>
 */
final class RingFile implements AutoCloseable {
    /** Room for two of the longest parts: one that fits when there is nothing else always fits. */
    static final int RING_LENGTH_MIN = 256 * 1024;

    static final int RING_LENGTH_DEFAULT = 1024 * 1024;
    static final int RING_LENGTH_MAX = 256 * 1024 * 1024;
    static final int CONNECTOR = 0;
    static final int ACCEPTOR = 1;

    static final int TAIL_OFFSET = 0;
    static final int HEAD_OFFSET = 256;
    static final int WANTS_BELL_OFFSET = 512;
    static final int WAITS_FOR_ROOM_OFFSET = 768;
    static final int IS_CLOSED_OFFSET = 1024;
    static final int RINGS_BY_FUTEX_OFFSET = 1280;
    static final int FUTEX_OFFSET = 1536;

    /** How an end wants to be rung: a byte on the socket. */
    static final int BY_SOCKET = 1;

    /** How an end wants to be rung: 1 is written to its futex, and its waiter is woken. */
    static final int BY_FUTEX = 2;

    private static final int WORDS_LENGTH = 2048;
    private static final int RINGS_OFFSET = 2 * WORDS_LENGTH;
    private static final int PIECE_LENGTH = 256 * 1024;

    private final Path directory;
    private final Access access;
    private final UserPrincipal peer;
    private final MappedByteBuffer mapped;
    private final UnsafeBuffer buffer;
    private final int ringLength;

    private RingFile(final Path path, final Access access, final UserPrincipal peer, final MappedByteBuffer mapped) {
        directory = path.resolveSibling("");
        this.access = access;
        this.peer = peer;
        this.mapped = mapped;
        buffer = new UnsafeBuffer(mapped);
        ringLength = (mapped.capacity() - RINGS_OFFSET) / 2;
    }

    /** The length of a file with two rings of a length, in bytes. */
    static int lengthOf(final int ringLength) {
        return RINGS_OFFSET + 2 * ringLength;
    }

    /** Whether a ring can have this length. */
    static boolean isRingLength(final long length) {
        return length >= RING_LENGTH_MIN && length <= RING_LENGTH_MAX && Long.bitCount(length) == 1;
    }

    /** Makes a file. All of it is written, so that the system has no reason to fail when the memory is used. */
    static RingFile make(final Path path, final int ringLength, final Access access, final UserPrincipal peer)
            throws IOException {
        final int length = lengthOf(ringLength);
        final Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try (FileChannel file = FileChannel.open(path, options, access.fileMode())) {
            access.openFile(path);
            fill(file, length);
            return new RingFile(path, access, peer, file.map(FileChannel.MapMode.READ_WRITE, 0, length));
        } catch (final IOException ex) {
            Files.deleteIfExists(path);
            throw new IOException(
                    "no " + length + " bytes for the file " + path + ": " + ex.getMessage()
                            + " (make room there, use a smaller ringLength, or ipc:/path with a directory elsewhere)",
                    ex);
        }
    }

    private static void fill(final FileChannel file, final int length) throws IOException {
        final ByteBuffer zeros = ByteBuffer.allocate(PIECE_LENGTH);
        for (int left = length; left > 0; ) {
            zeros.clear().limit(Math.min(left, PIECE_LENGTH));
            left -= file.write(zeros);
        }
    }

    /**
     * Maps the file that a peer made, and takes its name away.
     *
     * @param path          of the file.
     * @param peer          user who has made it.
     * @param ringLengthMax the longest rings to map, in bytes.
     * @param access        who may connect.
     */
    static RingFile take(final Path path, final UserPrincipal peer, final int ringLengthMax, final Access access)
            throws IOException {
        access.checkFile(path, peer);
        try (FileChannel file = FileChannel.open(
                path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
            final long length = file.size();
            if (!isRingLength((length - RINGS_OFFSET) / 2) || (length & 1) != 0) {
                throw new IOException(
                        "no file has this length: " + length + " (use the same version of Penstock at both ends)");
            }
            if (length > lengthOf(ringLengthMax)) {
                throw new IOException("rings are too long: " + (length - RINGS_OFFSET) / 2 + " (the limit is "
                        + ringLengthMax + "; raise the listener's ringLength, or lower the peer's)");
            }
            return new RingFile(path, access, peer, file.map(FileChannel.MapMode.READ_WRITE, 0, length));
        } finally {
            Files.deleteIfExists(path);
        }
    }

    /** The memory of both ends, which is freed when this is closed. */
    UnsafeBuffer buffer() {
        return buffer;
    }

    /** That it was made in. */
    Path directory() {
        return directory;
    }

    /** Users that may have files there. */
    Access access() {
        return access;
    }

    /** The user of the other end. */
    UserPrincipal peer() {
        return peer;
    }

    /** Where an end's words are. */
    static int words(final int end) {
        return end * WORDS_LENGTH;
    }

    /** Where the ring is that an end writes. */
    int ring(final int end) {
        return RINGS_OFFSET + end * ringLength;
    }

    /** Length of each ring, in bytes; a power of two. */
    int ringLength() {
        return ringLength;
    }

    @Override
    public void close() {
        BufferUtil.free(mapped);
    }
}
