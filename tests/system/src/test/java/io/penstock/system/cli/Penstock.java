package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/** A process of the runnable jar, on the JVM that runs the tests, with no flags but those to start sooner. */
final class Penstock implements AutoCloseable {
    static final long TIMEOUT_S = 60;

    /** Most end before the slower compiler, or more threads that collect garbage, would pay. */
    private static final List<String> FLAGS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Process process;
    private final LinkedBlockingQueue<String> errors = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Thread outReader;
    private final Thread errReader;

    private Penstock(final Process process) {
        this.process = process;
        outReader = new Thread(() -> readLines(process.getInputStream(), lines));
        errReader = new Thread(() -> readLines(process.getErrorStream(), errors));
        outReader.start();
        errReader.start();
    }

    static Path jar() {
        return made("the runnable jar", Path.of(System.getProperty("penstock.jar")));
    }

    /** The jar of the benchmarks, in a folder with a copy of the runnable one. */
    static Path benchmarksJar() {
        return made(
                "the jar of the benchmarks",
                Path.of(System.getProperty("penstock.benchmarks"), "penstock-benchmarks.jar"));
    }

    /** The runnable jar with the benchmarks beside it. */
    static Path jarBesideBenchmarks() {
        return made("the runnable jar", benchmarksJar().resolveSibling("penstock.jar"));
    }

    private static Path made(final String name, final Path jar) {
        assertThat(jar).as(name + " (made by mvn package)").exists();
        return jar;
    }

    static Penstock start(final String... arguments) throws IOException {
        return startWith(List.of(), arguments);
    }

    /** The same with flags for the JVM. */
    static Penstock startWith(final List<String> flags, final String... arguments) throws IOException {
        final List<String> command = new ArrayList<>(java());
        command.addAll(flags);
        command.addAll(List.of("-jar", jar().toString()));
        command.addAll(List.of(arguments));
        return start(processOf(command));
    }

    static Penstock start(final ProcessBuilder builder) throws IOException {
        return new Penstock(builder.start());
    }

    /** The JVM of the tests, with flags to start sooner. */
    static List<String> java() {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        return command;
    }

    /** A process with no other flags than the command's. */
    static ProcessBuilder processOf(final List<String> command) {
        final ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        return builder;
    }

    long pid() {
        return process.pid();
    }

    /** Runs a command in the process that does so for all. */
    static Result run(final String... arguments) throws IOException, InterruptedException {
        return WarmPenstock.run("", arguments);
    }

    /** The same with something on its standard input. */
    static Result runWithInput(final String input, final String... arguments) throws IOException, InterruptedException {
        return WarmPenstock.run(input, arguments);
    }

    /** Measures, in processes of its own: those that it starts start sooner, too. */
    static Result measure(final String... arguments) throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>(java());
        command.addAll(List.of("-jar", jarBesideBenchmarks().toString(), "bench"));
        command.addAll(List.of(arguments));
        final ProcessBuilder builder = processOf(command);
        builder.environment().put("JDK_JAVA_OPTIONS", String.join(" ", FLAGS));
        try (Penstock penstock = start(builder)) {
            return penstock.await();
        }
    }

    /** Runs a command in a process of its own. */
    static Result runAlone(final String... arguments) throws IOException, InterruptedException {
        return runAloneWithInput("", arguments);
    }

    /** The same with something on its standard input. */
    static Result runAloneWithInput(final String input, final String... arguments)
            throws IOException, InterruptedException {
        try (Penstock penstock = start(arguments)) {
            try (OutputStream in = penstock.process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (final IOException ignored) {
                // It may end without reading its input.
            }
            return penstock.await();
        }
    }

    /** Waits for a line of output that holds the text. */
    String awaitLine(final String text) throws InterruptedException {
        return awaitLine(outReader, lines, text);
    }

    /** Waits for a line on standard error that holds the text. */
    String awaitErrorLine(final String text) throws InterruptedException {
        return awaitLine(errReader, errors, text);
    }

    /** Waits for lines on standard error that hold the texts, in whichever order they come. */
    void awaitErrorLines(final String... texts) throws InterruptedException {
        final List<String> left = new ArrayList<>(List.of(texts));
        while (!left.isEmpty()) {
            final String line = awaitErrorLine("");
            left.removeIf(line::contains);
        }
    }

    private String awaitLine(final Thread reader, final LinkedBlockingQueue<String> lines, final String text)
            throws InterruptedException {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
        while (System.nanoTime() < deadlineNs) {
            // It reads on when the process has ended.
            final boolean isOver = !reader.isAlive();
            final String line = lines.poll(100, TimeUnit.MILLISECONDS);
            if (line != null && line.contains(text)) {
                return line;
            }
            if (line == null && isOver) {
                break;
            }
        }
        throw new AssertionError("no line with '" + text + "'; alive: " + process.isAlive() + "; stderr: " + errors);
    }

    /** Asks the process to end, as kill does. */
    void terminate() {
        process.toHandle().destroy();
    }

    Result await() throws InterruptedException {
        assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS))
                .as("ends within %d s; stderr so far: %s", TIMEOUT_S, errors)
                .isTrue();
        outReader.join();
        errReader.join();
        return new Result(process.exitValue(), String.join("\n", lines), String.join("\n", errors));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private static void readLines(final InputStream in, final LinkedBlockingQueue<String> lines) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            reader.lines().forEach(lines::add);
        } catch (final IOException | UncheckedIOException ignored) {
            // The process was killed.
        }
    }

    static String manifest() throws IOException {
        try (JarFile file = new JarFile(jar().toFile());
                InputStream in = file.getInputStream(file.getEntry("META-INF/MANIFEST.MF"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The names of the files in a jar. */
    static Set<String> entries(final Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(JarEntry::getName)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** How a process ended. */
    record Result(int exitCode, String out, String err) {}
}
