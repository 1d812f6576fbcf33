package io.penstock.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the console, as they lie in the sources. */
final class ConsoleFiles {
    static final Path FOLDER = Path.of("..", "..", "broker-admin/src/main/resources/io/penstock/admin/console")
            .toAbsolutePath()
            .normalize();

    private ConsoleFiles() {}

    /** All files with one ending, below a folder of the console. */
    static List<Path> list(final String folder, final String ending) throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    /** Copies all of it. */
    static void copyTo(final Path target) throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (final Path file : files.toList()) {
                Files.copy(file, target.resolve(FOLDER.relativize(file).toString()));
            }
        }
    }
}
