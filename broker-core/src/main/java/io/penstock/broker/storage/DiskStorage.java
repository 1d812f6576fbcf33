package io.penstock.broker.storage;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.penstock.file.FileErrors;
import io.penstock.file.OwnerOnly;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory of the file system. */
public final class DiskStorage implements Storage {
    private static final String LOCK_NAME = "penstock.lock";

    private static final int PREFETCH_LENGTH = 1024 * 1024;

    private final Path directory;

    private DiskStorage(final Path directory) {
        this.directory = directory;
    }

    /**
     * Opens a directory.
     *
     * @param directory made, with those above it, if it is not there.
     * @return the directory.
     * @throws IOException when it cannot be made.
     */
    public static DiskStorage open(final String directory) throws IOException {
        return open(Path.of(directory));
    }

    /**
     * Opens a directory to read what is in it. Nothing is made or changed by that.
     *
     * @param directory that is there.
     * @return the directory.
     * @throws IOException when it is not there.
     */
    public static DiskStorage openPresent(final String directory) throws IOException {
        final Path path = Path.of(directory);
        if (!Files.isDirectory(path)) {
            throw new NoSuchFileException(
                    directory, null, Files.exists(path) ? "not a directory" : "no such directory");
        }
        return new DiskStorage(path);
    }

    /**
     * The directories in this one.
     *
     * @return names, in their order.
     * @throws IOException when the directory cannot be read.
     */
    public List<String> directories() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isDirectory)
                    .map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    private static DiskStorage open(final Path directory) throws IOException {
        Path missing = directory.toAbsolutePath();
        while (missing != null && Files.notExists(missing)) {
            missing = missing.getParent();
        }
        OwnerOnly.createDirectories(directory);
        // A directory lasts once the one above it was synced.
        for (Path made = directory.toAbsolutePath(); made != null && !made.equals(missing); made = made.getParent()) {
            final Path above = made.getParent();
            if (above != null) {
                sync(above);
            }
        }
        return new DiskStorage(directory);
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public boolean exists(final String name) {
        return Files.isRegularFile(directory.resolve(name));
    }

    @Override
    public StoredFile create(final String name) throws IOException {
        final Path file = directory.resolve(name);
        return new DiskFile(file, OwnerOnly.open(file, CREATE_NEW, READ, WRITE));
    }

    @Override
    public StoredFile open(final String name, final boolean writable) throws IOException {
        final Path file = directory.resolve(name);
        return new DiskFile(file, writable ? OwnerOnly.open(file, READ, WRITE) : OwnerOnly.open(file, READ));
    }

    @Override
    public StoredFile createDirect(final String name) throws IOException {
        create(name).close();
        return openDirect(name);
    }

    @Override
    public StoredFile openDirect(final String name) throws IOException {
        final Path file = directory.resolve(name);
        final FileChannel channel = DirectChannel.open(file);
        return channel == null ? open(name, true) : new DiskFile(file, channel);
    }

    @Override
    public void prefetch(final String name) {
        final Thread thread = new Thread(() -> readThrough(directory.resolve(name)), "penstock-prefetch");
        thread.setDaemon(true);
        thread.start();
    }

    /** Has the system read a file into its cache, in longer pieces than it does by itself, and ahead of its reader. */
    private static void readThrough(final Path file) {
        final AlignedBuffer piece = new AlignedBuffer(PREFETCH_LENGTH);
        try (FileChannel channel = FileChannel.open(file, READ)) {
            long position = 0;
            int read;
            do {
                read = channel.read(piece.bytes().clear(), position);
                position += read;
            } while (read > 0);
        } catch (final IOException e) {
            // A later reader of the file will find it.
        } finally {
            piece.free();
        }
    }

    @Override
    public void rename(final String from, final String to) throws IOException {
        Files.move(directory.resolve(from), directory.resolve(to), ATOMIC_MOVE);
    }

    @Override
    public void move(final String name, final Storage to) throws IOException {
        if (to instanceof DiskStorage other) {
            try {
                Files.move(directory.resolve(name), other.directory.resolve(name), ATOMIC_MOVE);
                return;
            } catch (final AtomicMoveNotSupportedException e) {
                // Another disk: copied below.
            }
        }
        Storage.super.move(name, to);
    }

    @Override
    public boolean isShared(final String name) throws IOException {
        try {
            return (int) Files.getAttribute(directory.resolve(name), "unix:nlink") > 1;
        } catch (final UnsupportedOperationException | IllegalArgumentException e) {
            // Then there are no links to make either: see copy.
            return false;
        }
    }

    /** On the same disk it is the same file under another name, which is at once: see {@link #isShared}. */
    @Override
    public void copy(final String name, final Storage to) throws IOException {
        if (to instanceof DiskStorage other) {
            final Path target = other.directory.resolve(name);
            try {
                Files.deleteIfExists(target);
                Files.createLink(target, directory.resolve(name));
                return;
            } catch (final FileSystemException | UnsupportedOperationException e) {
                // Another disk, or one without links: copied below.
            }
        }
        Storage.super.copy(name, to);
    }

    /**
     * Gives a file a second name, in another directory of the same disk. Its bytes stay while it has one.
     *
     * @param name of a file that is there.
     * @param to   other directory, which has no file of that name.
     * @throws IOException when it is not there any more, or the disk has no such names.
     */
    public void link(final String name, final DiskStorage to) throws IOException {
        try {
            Files.createLink(to.directory.resolve(name), directory.resolve(name));
        } catch (final UnsupportedOperationException e) {
            throw new IOException(path(name) + ": the file system has no hard links", e);
        }
    }

    @Override
    public void delete(final String name) throws IOException {
        Files.delete(directory.resolve(name));
    }

    @Override
    public void sync() throws IOException {
        sync(directory);
    }

    @Override
    public Storage directory(final String name) throws IOException {
        return open(directory.resolve(name));
    }

    @Override
    public Closeable lock() throws IOException {
        final Path file = directory.resolve(LOCK_NAME);
        final FileChannel channel = OwnerOnly.open(file, CREATE, WRITE, NOFOLLOW_LINKS);
        FileLock lock = null;
        try {
            // An earlier version let others read it: a process that can read the file can take a lock, and keep the
            // broker out.
            OwnerOnly.takeFromOthers(file);
            lock = channel.tryLock();
        } catch (final OverlappingFileLockException e) {
            // Held by this same process: refused below.
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        if (lock == null) {
            throw new IOException(directory + " is in use by another broker (stop it, or use another directory)");
        }
        return channel;
    }

    @Override
    public @Nullable String wideRights() throws IOException {
        return OwnerOnly.wideRights(directory);
    }

    @Override
    public String path(final String name) {
        return directory.resolve(name).toString();
    }

    private static void sync(final Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, READ)) {
            channel.force(true);
        }
    }

    private static final class DiskFile implements StoredFile {
        private final Path file;
        private final FileChannel channel;

        /** What the system knows the file by, when it was first asked for; null before, and where there is nothing. */
        private @Nullable Object key;

        private DiskFile(final Path file, final FileChannel channel) {
            this.file = file;
            this.channel = channel;
        }

        @Override
        public long length() throws IOException {
            return channel.size();
        }

        @Override
        public void write(final ByteBuffer from, final long position) throws IOException {
            long at = position;
            try {
                while (from.hasRemaining()) {
                    at += channel.write(from, at);
                }
            } catch (final IOException e) {
                throw FileErrors.explained(file, e);
            }
        }

        @Override
        public int read(final ByteBuffer into, final long position) throws IOException {
            int count = 0;
            while (into.hasRemaining()) {
                final int read = channel.read(into, position + count);
                if (read < 0) {
                    break;
                }
                count += read;
            }
            return count;
        }

        @Override
        public boolean isThere() throws IOException {
            try {
                final Object now =
                        Files.readAttributes(file, BasicFileAttributes.class).fileKey();
                key = key == null ? now : key;
                return Objects.equals(key, now);
            } catch (final NoSuchFileException e) {
                return false;
            }
        }

        @Override
        public void sync() throws IOException {
            channel.force(false);
        }

        @Override
        public void truncate(final long length) throws IOException {
            if (length > channel.size()) {
                throw new EOFException("truncate: to " + length + " of " + channel.size() + " bytes");
            }
            channel.truncate(length);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
