package io.penstock.bench;

import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory for a measurement, deleted with its content. */
public final class ScratchDirectory implements AutoCloseable {
    private final Path path;

    private ScratchDirectory(final Path path) {
        this.path = path;
    }

    /**
     * Makes a directory.
     *
     * @param option that names where.
     * @param in     directory that is there.
     * @return the new directory.
     * @throws IOException when it cannot be made.
     */
    public static ScratchDirectory make(final String option, final Path in) throws IOException {
        if (!Files.isDirectory(in)) {
            throw CommandFailure.badInput(option + ": no such directory: " + in + " (make it, or use another)");
        }
        return new ScratchDirectory(Files.createTempDirectory(in, "penstock-bench-"));
    }

    /** A directory in it that nobody has used. */
    static Path another(final String in) throws IOException {
        return Files.createTempDirectory(Path.of(in), "log-");
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
