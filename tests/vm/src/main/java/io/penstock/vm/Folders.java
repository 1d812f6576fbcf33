package io.penstock.vm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders that are made anew. */
final class Folders {
    private Folders() {}

    static Path fresh(final Path folder) throws IOException {
        if (Files.exists(folder)) {
            final List<Path> all;
            try (Stream<Path> tree = Files.walk(folder)) {
                all = tree.sorted(Comparator.reverseOrder()).toList();
            }
            for (final Path each : all) {
                Files.delete(each);
            }
        }
        return Files.createDirectories(folder);
    }
}
