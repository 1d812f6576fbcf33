package io.penstock.transport.ipc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/** Users that may connect, and whose files are trusted. */
enum Access {
    /** Processes of one user. */
    USER("rwx------", "rw-------"),

    /** Processes of users in the group of the directory. */
    GROUP("rwxrwx---", "rw-rw----");

    private static final Path SELF = Path.of("/proc/self");
    private static final Path MEMORY = Path.of("/dev/shm");

    private final String directoryMode;
    private final String fileMode;

    Access(final String directoryMode, final String fileMode) {
        this.directoryMode = directoryMode;
        this.fileMode = fileMode;
    }

    /** Where the endpoints of this user lie that have a name. */
    static Path sharedDirectory() throws IOException {
        return MEMORY.resolve("penstock-" + Files.getAttribute(SELF, "unix:uid"));
    }

    /**
     * The mode with which a directory is created; the system may remove some bits, which {@link #openDirectory}
     * restores.
     */
    FileAttribute<Set<PosixFilePermission>> directoryMode() {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(directoryMode));
    }

    /** The mode with which a file is created; as above. */
    FileAttribute<Set<PosixFilePermission>> fileMode() {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(fileMode));
    }

    /** Lets the group have a directory that was made just now. */
    void openDirectory(final Path directory) throws IOException {
        if (this == GROUP) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(directoryMode));
        }
    }

    /** Takes a socket from others, which the system makes as the umask says; none could enter its directory meanwhile. */
    void openSocket(final Path socket) throws IOException {
        if (this == USER) {
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString(fileMode));
        } else {
            openFile(socket);
        }
    }

    /** Lets the group of the directory have a file or socket in it that was made just now. */
    void openFile(final Path file) throws IOException {
        if (this == GROUP) {
            final PosixFileAttributes directory =
                    Files.readAttributes(file.resolveSibling("."), PosixFileAttributes.class);
            final PosixFileAttributeView view =
                    Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
            view.setGroup(directory.group());
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(fileMode));
        }
    }

    /** Fails unless the directory is there, is this user's (or its group's), and nobody else may enter it. */
    void checkDirectory(final Path path) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("not a directory: " + path + " (name one, or remove what is there)");
        }
        if (this == USER) {
            checkOwner(path, Files.getOwner(SELF));
        }
        final Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        if (!PosixFilePermissions.fromString(directoryMode).containsAll(permissions)) {
            throw new IOException("others may enter the directory " + path + ": "
                    + PosixFilePermissions.toString(permissions)
                    + (this == USER ? " (chmod 700 it)" : " (chmod 770 it)"));
        }
    }

    /**
     * Fails unless it is a file of the user who runs the peer, no link, and that user may connect.
     *
     * @param path of the file.
     * @param peer user, as the system says.
     */
    void checkFile(final Path path, final UserPrincipal peer) throws IOException {
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("not a file: " + path + " (the peer did not make it)");
        }
        checkOwner(path, peer);
        if (this == USER) {
            checkOwner(path, Files.getOwner(SELF));
        }
    }

    private static void checkOwner(final Path path, final UserPrincipal expected) throws IOException {
        final UserPrincipal owner = Files.getOwner(path, LinkOption.NOFOLLOW_LINKS);
        if (!owner.equals(expected)) {
            throw new IOException(path + " belongs to another user: " + owner.getName() + ", not " + expected.getName()
                    + " (run both ends as the same user, let a group in with mode=660, or use tcp)");
        }
    }
}
