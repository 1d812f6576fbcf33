package io.penstock.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes files and directories that their owner alone may use, from the first moment: the system makes them with these rights,
 * whatever the umask of the process allows. Where a file system has no such rights they are as it makes them.
 */
public final class OwnerOnly {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final boolean HAS_RIGHTS =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private OwnerOnly() {}

    /**
     * Opens a file; one that is made by that is its owner's alone. One that was there keeps its rights.
     *
     * @param file    to open.
     * @param options how.
     * @return the open file.
     * @throws IOException when that fails, with what to do about it.
     */
    public static FileChannel open(final Path file, final OpenOption... options) throws IOException {
        try {
            return FileChannel.open(file, Set.of(options), attributes(FILE));
        } catch (final IOException e) {
            throw FileErrors.explained(file, e);
        }
    }

    /**
     * Makes a directory, and those above it, unless they are there.
     *
     * @param directory to make.
     * @throws IOException when that fails, with what to do about it.
     */
    public static void createDirectories(final Path directory) throws IOException {
        try {
            Files.createDirectories(directory, attributes(DIRECTORY));
        } catch (final IOException e) {
            throw FileErrors.explained(directory, e);
        }
    }

    /**
     * Takes the rights away that others have to a file that is there. Leaves it as it is when it is another user's, or when
     * its file system has no such rights.
     *
     * @param file that is there.
     * @throws IOException when its rights cannot be seen.
     */
    public static void takeFromOthers(final Path file) throws IOException {
        if (HAS_RIGHTS && !FILE.containsAll(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS))) {
            try {
                Files.setPosixFilePermissions(file, FILE);
            } catch (final FileSystemException e) {
                // The file is not ours to change. A process that can read it can keep a broker out, but do nothing
                // else.
                return;
            }
        }
    }

    /**
     * Which rights others have to a directory.
     *
     * @param directory that is there.
     * @return its rights, as {@code rwxr-xr-x}, when others than its owner have any; else null.
     * @throws IOException when that cannot be seen.
     */
    public static @Nullable String wideRights(final Path directory) throws IOException {
        if (!HAS_RIGHTS) {
            return null;
        }
        final Set<PosixFilePermission> rights = Files.getPosixFilePermissions(directory);
        return DIRECTORY.containsAll(rights) ? null : PosixFilePermissions.toString(rights);
    }

    /**
     * Which rights others have to a file.
     *
     * @param file that is there.
     * @return its rights, as {@code rw-r--r--}, when others than its owner have any; else null.
     * @throws IOException when that cannot be seen.
     */
    public static @Nullable String wideFileRights(final Path file) throws IOException {
        if (!HAS_RIGHTS) {
            return null;
        }
        final Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
        return DIRECTORY.containsAll(rights) ? null : PosixFilePermissions.toString(rights);
    }

    private static FileAttribute<?>[] attributes(final Set<PosixFilePermission> rights) {
        return HAS_RIGHTS
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(rights)}
                : new FileAttribute<?>[0];
    }
}
