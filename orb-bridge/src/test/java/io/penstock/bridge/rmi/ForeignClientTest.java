package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.Harness;
import io.penstock.client.Topic;
import io.penstock.orb.PenstockBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs in other processes, with nothing of ours but the contract. */
@Timeout(120)
class ForeignClientTest {
    @TempDir
    private Path folder;

    static Stream<Path> javas() {
        final Path own = Path.of(System.getProperty("java.home"), "bin", "java");
        final String older = System.getProperty("penstock.jdk17.java", "");
        return older.isBlank() ? Stream.of(own) : Stream.of(own, Path.of(older)).distinct();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void shouldPublishSubscribeAndQueryWhenAForeignProgram(final Path java) throws Exception {
        final Path classes = copyOfClient();
        final Path contract = Path.of(PenstockBroker.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Harness harness = Harness.start()) {
            harness.client().declareTopic(Topic.json("foreign-state").key("id"));
            final Process process = new ProcessBuilder(
                            java.toString(),
                            "-cp",
                            classes + System.getProperty("path.separator") + contract,
                            ForeignClient.class.getName(),
                            String.valueOf(harness.port()))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("output").toFile())
                    .start();
            final boolean isOver = process.waitFor(100, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();

            final List<String> output = Files.readAllLines(folder.resolve("output"), StandardCharsets.UTF_8);
            assertThat(isOver).as("output: %s", output).isTrue();
            assertThat(process.exitValue()).as("output: %s", output).isZero();
            assertThat(output).contains("done", "ok: taken 16777216", "ok: called for 4");
        }
    }

    private Path copyOfClient() throws Exception {
        final Path target = folder.resolve("io/penstock/bridge/rmi");
        Files.createDirectories(target);
        final Path source =
                Path.of(ForeignClient.class.getResource("ForeignClient.class").toURI());
        try (Stream<Path> files = Files.list(source.getParent())) {
            for (final Path file : files.toList()) {
                if (file.getFileName().toString().matches("ForeignClient(\\$\\w+)?\\.class")) {
                    Files.copy(file, target.resolve(file.getFileName()));
                }
            }
        }
        return folder;
    }
}
