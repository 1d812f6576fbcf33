package io.penstock.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders that are made and thrown away. */
final class Folders {
    private Folders() {}

    static Path fresh(final Path folder) throws IOException {
        delete(folder);
        return Files.createDirectories(folder);
    }

    static void delete(final Path folder) throws IOException {
        if (Files.exists(folder)) {
            for (final Path each : tree(folder)) {
                Files.delete(each);
            }
        }
    }

    static void copy(final Path from, final Path to) throws IOException {
        for (final Path each : tree(from).stream().sorted().toList()) {
            Files.copy(each, to.resolve(from.relativize(each)));
        }
    }

    /** Everything in it and itself, the deepest first. */
    private static List<Path> tree(final Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
