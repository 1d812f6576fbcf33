package io.penstock.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages that say what is wrong with a file, and what helps. The JDK only names the file when the system denies
 * access.
 */
public final class FileErrors {
    /** Remedies by the system's text, in small letters. */
    private static final Map<String, String> REMEDIES = Map.of(
            "permission denied", "give it to the user that runs this program: chown, chmod u+rwX",
            "is a directory", "move it away",
            "file too large", "raise the limit of this program's file sizes, ulimit -f, or the file system's",
            "too many open files", "raise the limit of open files: ulimit -n, or LimitNOFILE",
            "no space left on device", "make room on the disk",
            "quota exceeded", "make room, or raise the quota",
            "read-only file system", "mount it so that it can be written");

    private FileErrors() {}

    /**
     * The reason that the system gave.
     *
     * @param error of a file.
     * @return the reason, without the file's name when it is known without.
     */
    public static String reasonOf(final IOException error) {
        if (error instanceof AccessDeniedException denied) {
            return denied.getReason() == null ? "permission denied" : denied.getReason();
        }
        if (error instanceof NoSuchFileException missing && missing.getReason() == null) {
            return "no such file or directory";
        }
        if (error instanceof FileSystemException known && known.getReason() != null) {
            return known.getReason();
        }
        if (error instanceof FileSystemException known && known.getClass() == FileSystemException.class) {
            return "cannot be used";
        }
        return error instanceof FileSystemException || error.getMessage() == null
                ? error.toString()
                : error.getMessage();
    }

    /**
     * The error with the file that it is about and the reason, for people.
     *
     * @param error of a file.
     * @return both, also where the JDK only names the file.
     */
    public static String textOf(final IOException error) {
        final String reason = reasonOf(error);
        return error instanceof FileSystemException known && known.getFile() != null
                ? known.getFile() + ": " + reason
                : reason;
    }

    /**
     * The same error with file, reason and remedy, if we know one.
     *
     * @param file  that it is about.
     * @param error of the file.
     * @return an error that says more, or the same one.
     */
    public static IOException explained(final Path file, final IOException error) {
        final String reason = reasonOf(error);
        final String remedy = remedyFor(reason);
        return remedy == null ? error : new IOException(file + ": " + reason + " (" + remedy + ")", error);
    }

    private static @Nullable String remedyFor(final String reason) {
        final String lower = reason.toLowerCase(Locale.ROOT);
        for (final Map.Entry<String, String> each : REMEDIES.entrySet()) {
            if (lower.contains(each.getKey()) && !lower.endsWith(")")) {
                return each.getValue();
            }
        }
        return null;
    }
}
