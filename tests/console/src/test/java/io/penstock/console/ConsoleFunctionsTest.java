package io.penstock.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The functions of the console that need no page; their tests are scripts. */
@Tag("one-jdk")
class ConsoleFunctionsTest {
    private static final Path SCRIPTS = Path.of("src/test/js");
    private static final long TIMEOUT_S = 60;

    @TempDir
    private Path folder;

    @Test
    void shouldDoWhatTheirScriptsSay() throws IOException, InterruptedException {
        final Path node = Programs.node();
        ConsoleFiles.copyTo(folder.resolve("console"));
        Files.writeString(folder.resolve("package.json"), "{\"type\":\"module\"}");
        try (Stream<Path> scripts = Files.list(SCRIPTS)) {
            for (final Path script : scripts.toList()) {
                Files.copy(script, folder.resolve(script.getFileName()));
            }
        }
        final Path output = folder.resolve("output.txt");
        final Process process = new ProcessBuilder(List.of(node.toString(), "--test"))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue())
                .as(Files.readString(output, StandardCharsets.UTF_8))
                .isZero();
    }
}
