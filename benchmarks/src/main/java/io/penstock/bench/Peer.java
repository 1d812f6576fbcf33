package io.penstock.bench;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A process that takes and prints lines: one of this program, or another that a benchmark needs. */
public final class Peer implements AutoCloseable {
    private static final long END_TIMEOUT_S = 10;

    private final Process process;
    private final BufferedReader answers;
    private final Writer questions;

    private Peer(final Process process) {
        this.process = process;
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        questions = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    }

    /**
     * Starts this program once more.
     *
     * @param arguments of its command line.
     * @return the process.
     * @throws IOException when it cannot be started.
     */
    public static Peer start(final List<String> arguments) throws IOException {
        return start(List.of(), arguments);
    }

    /**
     * Starts this program once more.
     *
     * @param options   of the virtual machine, besides those that it needs.
     * @param arguments of its command line.
     * @return the process.
     * @throws IOException when it cannot be started.
     */
    public static Peer start(final List<String> options, final List<String> arguments) throws IOException {
        return start(options, System.getProperty("java.class.path"), arguments);
    }

    /**
     * Starts this program once more, with other classes beside its own.
     *
     * @param options   of the virtual machine, besides those that it needs.
     * @param classPath in which this program is.
     * @param arguments of its command line.
     * @return the process.
     * @throws IOException when it cannot be started.
     */
    public static Peer start(final List<String> options, final String classPath, final List<String> arguments)
            throws IOException {
        final List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, Main.class.getName()));
        command.addAll(arguments);
        return run(command);
    }

    /**
     * Starts any program.
     *
     * @param command program and arguments.
     * @return the process.
     * @throws IOException when it cannot be started.
     */
    public static Peer run(final List<String> command) throws IOException {
        return new Peer(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /**
     * Waits for a line.
     *
     * @param beginning of the line; others are passed over.
     * @return what follows, without space around it.
     * @throws IOException when its output cannot be read.
     */
    public String await(final String beginning) throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(beginning)) {
                return line.substring(beginning.length()).strip();
            }
        }
        throw CommandFailure.failed("bench: a process has ended before it was done (see its message above)");
    }

    /**
     * Waits for a line, and ends the process when it does not come in time.
     *
     * @param beginning of the line; others are passed over.
     * @param timeoutMs in milliseconds.
     * @return what follows, without space around it.
     * @throws IOException when its output cannot be read.
     */
    public String await(final String beginning, final long timeoutMs) throws IOException {
        final CompletableFuture<Void> end = CompletableFuture.runAsync(
                process::destroyForcibly, CompletableFuture.delayedExecutor(timeoutMs, TimeUnit.MILLISECONDS));
        try {
            return await(beginning);
        } finally {
            end.cancel(false);
        }
    }

    /**
     * Sends it a line.
     *
     * @param line without its end.
     * @throws IOException when it cannot be sent.
     */
    public void send(final String line) throws IOException {
        questions.write(line + "\n");
        questions.flush();
    }

    /** Ends the process. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS)) {
                return;
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
