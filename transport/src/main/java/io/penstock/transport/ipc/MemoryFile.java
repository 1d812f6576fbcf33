package io.penstock.transport.ipc;

import io.penstock.transport.LentMemory;
import io.penstock.transport.RemoteMemory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory that one end lends to the other: a file in the directory of the endpoint, which the lender maps and the other
 * one reads. It has no name any more once the other end has opened it. It is read with calls to the system and never
 * mapped there, so that a lender that makes it shorter causes an error, and not a signal.
 */
final class MemoryFile {
    static final String PREFIX = "memory-";

    private static final Pattern KEY = Pattern.compile("[0-9a-f]{32}");
    private static final int PIECE_LENGTH = 256 * 1024;

    private MemoryFile() {}

    private static Path path(final Path directory, final String key) {
        return directory.resolve(PREFIX + key);
    }

    /** Makes memory. All of it is written, so that the system has no reason to fail when it is used. */
    static LentMemory make(final RingFile rings, final int length) throws IOException {
        final String key = UUID.randomUUID().toString().replace("-", "");
        final Path path = path(rings.directory(), key);
        final Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try (FileChannel file = FileChannel.open(path, options, rings.access().fileMode())) {
            rings.access().openFile(path);
            final ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(length, PIECE_LENGTH));
            try {
                for (int left = length; left > 0; ) {
                    zeros.clear().limit(Math.min(left, zeros.capacity()));
                    left -= file.write(zeros);
                }
            } finally {
                BufferUtil.free(zeros);
            }
            return new Lent(path, key, file.map(FileChannel.MapMode.READ_WRITE, 0, length));
        } catch (final IOException ex) {
            Files.deleteIfExists(path);
            throw new IOException(
                    "no " + length + " bytes for the file " + path + ": " + ex.getMessage()
                            + " (make room there, or use less memory)",
                    ex);
        }
    }

    /** Opens memory that the other end has made, and takes its name away. */
    static RemoteMemory take(final RingFile rings, final String key, final long length) throws IOException {
        if (!KEY.matcher(key).matches()) {
            throw new IOException("not the key of a memory: " + key + " (use the one that was lent)");
        }
        final Path path = path(rings.directory(), key);
        rings.access().checkFile(path, rings.peer());
        // Opened for writing as well: an object that the peer may have put there meanwhile is then opened at once or
        // not at all.
        final FileChannel file = FileChannel.open(
                path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        boolean isTaken = false;
        try {
            Files.deleteIfExists(path);
            if (length <= 0 || file.size() != length) {
                throw new IOException("memory has another length: " + file.size() + ", not " + length);
            }
            isTaken = true;
            return new Remote(file, length);
        } finally {
            if (!isTaken) {
                file.close();
            }
        }
    }

    private static final class Lent implements LentMemory {
        private final Path path;
        private final String key;
        private final MappedByteBuffer mapped;
        private final UnsafeBuffer buffer;
        private boolean isClosed;

        private Lent(final Path path, final String key, final MappedByteBuffer mapped) {
            this.path = path;
            this.key = key;
            this.mapped = mapped;
            buffer = new UnsafeBuffer(mapped);
        }

        @Override
        public String key() {
            return key;
        }

        @Override
        public UnsafeBuffer buffer() {
            return buffer;
        }

        @Override
        public void close() {
            if (!isClosed) {
                isClosed = true;
                buffer.wrap(0, 0);
                BufferUtil.free(mapped);
                try {
                    Files.deleteIfExists(path);
                } catch (final IOException ignored) {
                    // The listener removes it when it starts or ends.
                }
            }
        }
    }

    private static final class Remote implements RemoteMemory {
        private final FileChannel file;
        private final long length;

        private Remote(final FileChannel file, final long length) {
            this.file = file;
            this.length = length;
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public void pull(final long offset, final ByteBuffer into) throws IOException {
            long at = offset;
            while (into.hasRemaining()) {
                final int read = file.read(into, at);
                if (read < 0) {
                    throw new EOFException("the peer's memory ends at " + file.size() + ", not " + length);
                }
                at += read;
            }
        }

        @Override
        public void close() {
            try {
                file.close();
            } catch (final IOException ignored) {
                // It was only read.
            }
        }
    }
}
