package io.penstock.standalone.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file with secrets that other users of the machine can read.
 *
 * @param file of a configuration.
 */
public record WideFile(Path file) {
    /** Whether others can read a file. What its folder keeps from them they cannot. */
    static boolean isWide(final Path file) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return false;
        }
        final Path real = file.toRealPath();
        final Path folder = real.getParent();
        if (folder == null) {
            return false;
        }
        final Set<PosixFilePermission> rights = Files.getPosixFilePermissions(real);
        final Set<PosixFilePermission> way = Files.getPosixFilePermissions(folder);
        final boolean isOwn = Files.getOwner(real).getName().equals(System.getProperty("user.name"));
        return (rights.contains(PosixFilePermission.OTHERS_READ) && way.contains(PosixFilePermission.OTHERS_EXECUTE))
                // Who does not own it may read it as one of its group alone.
                || (isOwn
                        && rights.contains(PosixFilePermission.GROUP_READ)
                        && way.contains(PosixFilePermission.GROUP_EXECUTE));
    }

    /** What to do about it. */
    public String remedy() {
        return "chmod 600 " + file;
    }

    /** What is wrong with it, for people. */
    @Override
    public String toString() {
        String rights;
        try {
            rights = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (final IOException e) {
            rights = "unknown rights";
        }
        return file + ": has a password, and others can read it: " + rights + " (" + remedy() + ")";
    }
}
