package io.penstock.console;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs that the tests need, where they are installed. */
final class Programs {
    private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome");

    private Programs() {}

    /** Node; the calling test is skipped where there is none, and says so. */
    static Path node() {
        return assume(find("node", List.of("node", "nodejs")), "node", "nodejs");
    }

    /** Chromium or Chrome; the calling test is skipped where there is none, and says so. */
    static Path chromium() {
        return assume(find("chromium", BROWSERS), "chromium", "chromium");
    }

    private static Optional<Path> find(final String name, final List<String> programs) {
        final String given = System.getProperty("penstock." + name, "");
        if (!given.isEmpty()) {
            return Optional.of(Path.of(given)).filter(Files::isExecutable);
        }
        return programs.stream()
                .flatMap(program -> Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                        .map(folder -> Path.of(folder, program)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Path assume(final Optional<Path> program, final String name, final String aptPackage) {
        if (program.isEmpty()) {
            System.out.println("SKIPPED: the console: missing: " + name + " (apt-get install " + aptPackage
                    + ", or -Dpenstock." + name + "=PROGRAM)");
        }
        assumeTrue(program.isPresent(), "missing: " + name);
        return program.orElseThrow();
    }
}
