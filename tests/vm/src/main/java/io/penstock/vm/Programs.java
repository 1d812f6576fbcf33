package io.penstock.vm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Programs of this machine. */
final class Programs {
    private static final List<String> PLACES = List.of("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin");

    private Programs() {}

    /** The first one that is there, or null. */
    static @Nullable Path find(final String... names) {
        for (final String name : names) {
            for (final String place : PLACES) {
                final Path program = Path.of(place, name);
                if (Files.isExecutable(program)) {
                    return program;
                }
            }
        }
        return null;
    }
}
