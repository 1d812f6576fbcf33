package io.penstock.transport.ipc;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The directory of a listener: {@code lock}, which it holds; {@code door}, the socket to which peers connect; and for a
 * moment each, files of peers that have not been let in yet. Lock and directory stay when the listener has ended.
 */
final class IpcDirectory implements AutoCloseable {
    static final int BACKLOG_LENGTH = 1024;

    /** The longest path of a socket that the system takes. */
    private static final int DOOR_LENGTH_MAX = 107;

    private static final String LOCK = "lock";
    private static final String DOOR = "door";
    private static final String RINGS = "rings-";

    /**
     * Directories that this process listens on. A process does not lock out itself, and closing any descriptor of a
     * file ends its locks, so the file is not even opened a second time.
     */
    private static final Set<Path> LOCKED = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final Access access;
    private final FileChannel lock;

    private IpcDirectory(final Path path, final Access access, final FileChannel lock) {
        this.path = path;
        this.access = access;
        this.lock = lock;
    }

    /** The socket of the listener on an endpoint. Fails when the directory is not there, or not this user's. */
    static UnixDomainSocketAddress doorOf(final IpcEndpoint endpoint) throws IOException {
        if (!Files.exists(endpoint.directory(), LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("nobody has ever listened there (start the listener first)");
        }
        endpoint.access().checkDirectory(endpoint.directory());
        return UnixDomainSocketAddress.of(endpoint.directory().resolve(DOOR));
    }

    /** Where a peer's file is, until the listener has it. */
    static Path ringsOf(final Path directory, final long id) {
        return directory.resolve(String.format("%s%016x", RINGS, id));
    }

    /** Makes the directory if need be, takes the lock, and removes what a dead listener left. */
    static IpcDirectory take(final IpcEndpoint endpoint) throws IOException {
        final Path given = endpoint.directory();
        if (given.resolve(DOOR).toString().getBytes(StandardCharsets.UTF_8).length > DOOR_LENGTH_MAX) {
            throw new IOException("path is too long for a socket in it: " + given + " (use up to "
                    + (DOOR_LENGTH_MAX - DOOR.length() - 1) + " bytes)");
        }
        if (endpoint.isNamed()) {
            make(Access.sharedDirectory(), Access.USER);
        }
        make(given, endpoint.access());
        final Path path = given.toRealPath();
        if (!LOCKED.add(path)) {
            throw inUse();
        }
        try {
            return lock(path, endpoint.access());
        } catch (final IOException ex) {
            LOCKED.remove(path);
            throw ex;
        }
    }

    private static void make(final Path directory, final Access access) throws IOException {
        try {
            Files.createDirectory(directory, access.directoryMode());
            access.openDirectory(directory);
        } catch (final FileAlreadyExistsException ignored) {
            // Which is checked now.
        }
        access.checkDirectory(directory);
    }

    private static IpcDirectory lock(final Path path, final Access access) throws IOException {
        final FileChannel lock = FileChannel.open(
                path.resolve(LOCK),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                Access.USER.fileMode());
        try {
            if (lock.tryLock() == null) {
                throw inUse();
            }
            final IpcDirectory directory = new IpcDirectory(path, access, lock);
            directory.clean();
            return directory;
        } catch (final IOException ex) {
            lock.close();
            throw ex;
        }
    }

    private static IOException inUse() {
        return new IOException("already in use (choose another name, or stop what listens there)");
    }

    private void clean() throws IOException {
        Files.deleteIfExists(path.resolve(DOOR));
        try (DirectoryStream<Path> left =
                Files.newDirectoryStream(path, "{" + RINGS + "," + MemoryFile.PREFIX + "}*")) {
            for (final Path file : left) {
                Files.deleteIfExists(file);
            }
        }
    }

    Path path() {
        return path;
    }

    ServerSocketChannel open() throws IOException {
        final ServerSocketChannel door = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            door.bind(UnixDomainSocketAddress.of(path.resolve(DOOR)), BACKLOG_LENGTH);
            access.openSocket(path.resolve(DOOR));
            door.configureBlocking(false);
            return door;
        } catch (final IOException ex) {
            door.close();
            throw ex;
        }
    }

    /** Called when the door is closed. */
    @Override
    public void close() throws IOException {
        try (lock) {
            clean();
        } finally {
            LOCKED.remove(path);
        }
    }
}
