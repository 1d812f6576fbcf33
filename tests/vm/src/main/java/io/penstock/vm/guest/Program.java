package io.penstock.vm.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command line in a process of its own, and of those that it starts. What it says on standard error is in the log. */
final class Program implements AutoCloseable {
    /** So that nine of them fit the guest, and what an emulated one needs. */
    private static final String FLAGS = "-Xmx128m -XX:MaxDirectMemorySize=1g -XX:+UseSerialGC -XX:TieredStopAtLevel=1";

    private final Process process;
    private final BufferedReader out;

    private Program(final Process process, final int limitS) {
        this.process = process;
        // Ends what waits for it to say something, or to end.
        final var unused = process.onExit().orTimeout(limitS, TimeUnit.SECONDS).exceptionally(late -> {
            close();
            return process;
        });
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Starts one.
     *
     * @param limitS    seconds after which it is ended.
     * @param arguments of the command line.
     */
    static Program start(final int limitS, final String... arguments) throws IOException {
        final List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.penstock.standalone.Main"));
        command.addAll(List.of(arguments));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment()
                .put(
                        "JDK_JAVA_OPTIONS",
                        FLAGS + " -Dpenstock.rdma.verbs=" + System.getProperty("penstock.rdma.verbs", "auto"));
        return new Program(builder.start(), limitS);
    }

    /** What follows in the next line that begins so. */
    String await(final String beginning) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(beginning)) {
                return line.substring(beginning.length());
            }
        }
        throw new AssertionError("ended before it said: " + beginning);
    }

    /** The lines up to its end, which has to be a good one. */
    List<String> end() throws InterruptedException {
        final List<String> lines = out.lines().toList();
        assertThat(process.waitFor()).as("exit code, after %s", lines).isZero();
        return lines;
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
