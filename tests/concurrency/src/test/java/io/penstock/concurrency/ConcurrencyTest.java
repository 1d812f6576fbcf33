package io.penstock.concurrency;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Runs the jcstress tests in a process of their own: briefly, or as {@code -Dpenstock.jcstress=tough} and such modes of
 * jcstress say. They do find what they are for: with {@code newest} stored before the version's bytes are
 * written, {@code StoreStress.Update} and {@code StoreStress.ChangedAt} fail in the brief form.
 */
class ConcurrencyTest {
    private static final String MODE = System.getProperty("penstock.jcstress", "");
    /** Of a test, in milliseconds: less with another JDK, which has more kinds of compilation. */
    private static final String TIME_MS = Boolean.getBoolean("penstock.second") ? "150" : "400";

    private static final List<String> BRIEFLY = List.of("-m", "quick", "-f", "1", "-iters", "1", "-time", TIME_MS);

    /** Few stores at a time, since they are large, and no more kinds of compilation than find something. */
    private static final List<String> ALWAYS =
            List.of("-sc", "false", "-af", "NONE", "-strideSize", "16", "-strideCount", "8");

    private static final long TIME_MAX_MIN = 120;
    private static final int REPORT_LENGTH_MAX = 20_000;

    @Test
    void shouldShowReadersNothingButWhatIsAllowed() throws IOException, InterruptedException {
        final Path target = Path.of("target", "jcstress").toAbsolutePath();
        Files.createDirectories(target);
        final Path output = target.resolve("output.txt");
        final List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-r",
                target.toString(),
                "-jvmArgsPrepend",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"));
        command.addAll(ALWAYS);
        command.addAll(MODE.isEmpty() ? BRIEFLY : List.of("-m", MODE));
        final Process process = new ProcessBuilder(command)
                .directory(target.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        final boolean ended;
        try {
            ended = process.waitFor(TIME_MAX_MIN, TimeUnit.MINUTES);
        } finally {
            process.destroyForcibly();
        }
        final String report = end(output.toFile());
        assertThat(ended).as(report).isTrue();
        assertThat(process.exitValue()).as(report).isZero();
        assertThat(report).contains("Failed tests: No matches.", "Error tests: No matches.");
    }

    private static String end(final File file) throws IOException {
        final String all = Files.readString(file.toPath(), UTF_8);
        return all.substring(Math.max(0, all.length() - REPORT_LENGTH_MAX));
    }
}
