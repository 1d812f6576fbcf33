package io.penstock.client.store;

import io.penstock.client.PenstockException;
import io.penstock.file.FileErrors;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Exceptions about a store's files. They say what the system has said, whose own exceptions are left out: they say no more. */
final class StoreFailures {
    private static final String REMEDY =
            " (bring back a copy of both files of the store, or move both away to go on without" + " what they hold)";

    private StoreFailures() {}

    /** When a file is damaged at a place. */
    static PenstockException damage(final Path path, final long at, final String what) {
        return missing(path, "damaged at byte " + at + ": " + what);
    }

    /** When the other file of a store shows that this is not what it was. */
    static PenstockException missing(final Path path, final String what) {
        return new PenstockException(path + ": " + what + REMEDY, null);
    }

    /** When the system refuses something; names the file once. */
    static PenstockException failure(final Path path, final String what, final IOException cause) {
        return failure(path, what, cause, "see that it is a file, and its disk is good");
    }

    /** The same with what helps, unless the reason says it. */
    static PenstockException failure(final Path path, final String what, final IOException cause, final String remedy) {
        final String reason = cause instanceof NoSuchFileException
                ? "its directory is not there (make it)"
                : FileErrors.reasonOf(FileErrors.explained(path, cause)).replace(path + ": ", "");
        return new PenstockException(
                path + ": " + what + ": " + reason + (reason.endsWith(")") ? "" : " (" + remedy + ")"), null);
    }
}
