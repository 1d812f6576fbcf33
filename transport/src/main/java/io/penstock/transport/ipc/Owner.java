package io.penstock.transport.ipc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Whose files are whose. A file that belongs to another user is not trusted. */
final class Owner {
    static final FileAttribute<Set<PosixFilePermission>> DIRECTORY_MODE = mode("rwx------");
    static final FileAttribute<Set<PosixFilePermission>> FILE_MODE = mode("rw-------");

    private static final Path SELF = Path.of("/proc/self");
    private static final Path MEMORY = Path.of("/dev/shm");

    private Owner() {}

    private static FileAttribute<Set<PosixFilePermission>> mode(final String text) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
    }

    /** Where the endpoints of this user lie that have a name. */
    static Path sharedDirectory() throws IOException {
        return MEMORY.resolve("penstock-" + user());
    }

    private static int user() throws IOException {
        return (Integer) Files.getAttribute(SELF, "unix:uid");
    }

    /** Fails unless the directory is there, is this user's, and nobody else may enter it. */
    static void checkDirectory(final Path path) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("not a directory: " + path + " (name one, or remove what is there)");
        }
        checkOwner(path);
        final Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        if (!DIRECTORY_MODE.value().containsAll(permissions)) {
            throw new IOException("others may enter the directory " + path + ": "
                    + PosixFilePermissions.toString(permissions) + " (chmod 700 it)");
        }
    }

    /** Fails unless it is a file of this user, and no link. */
    static void checkFile(final Path path) throws IOException {
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("not a file: " + path + " (the peer did not make it)");
        }
        checkOwner(path);
    }

    private static void checkOwner(final Path path) throws IOException {
        final int owner = (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (owner != user()) {
            throw new IOException(path + " belongs to another user: " + owner + ", not " + user()
                    + " (run both ends as the same user, or use tcp)");
        }
    }
}
