package io.penstock.standalone.message;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a command once, with bytes on its standard input, and takes what it prints. */
final class AnsweringProcess {
    /** Most bytes of the output that are taken. */
    private static final int LENGTH_MAX = 16 * 1024 * 1024;

    private static final String TOO_MUCH = "printed more than " + LENGTH_MAX + " bytes";

    /** Between two looks at what it has printed so far. */
    private static final long LOOK_MS = 50;

    private AnsweringProcess() {}

    /**
     * Runs a command to its end.
     *
     * @param command with its arguments.
     * @param input   of it; it need not read all.
     * @param timeout after which it is ended.
     * @return what it printed, and how it failed.
     */
    static Answer run(final List<String> command, final byte[] input, final Duration timeout) {
        try {
            return runOrThrow(command, input, timeout);
        } catch (final IOException e) {
            return new Answer(new byte[0], "cannot be run: " + e.getMessage());
        }
    }

    private static Answer runOrThrow(final List<String> command, final byte[] input, final Duration timeout)
            throws IOException {
        final Path output = Files.createTempFile("penstock-reply", ".out");
        try {
            final Process process = new ProcessBuilder(command)
                    .redirectOutput(output.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            feed(process, input);
            final String error = await(process, output, timeout);
            try (var in = Files.newInputStream(output)) {
                final byte[] printed = in.readNBytes(LENGTH_MAX);
                return new Answer(printed, error.isEmpty() && in.read() >= 0 ? TOO_MUCH : error);
            }
        } finally {
            Files.deleteIfExists(output);
        }
    }

    private static void feed(final Process process, final byte[] input) {
        final Thread feeder = new Thread(
                () -> {
                    try (OutputStream in = process.getOutputStream()) {
                        in.write(input);
                    } catch (final IOException e) {
                        // It has read as much as it wanted.
                    }
                },
                "penstock-reply-input");
        feeder.setDaemon(true);
        feeder.start();
    }

    /** Waits for its end, which comes early when it prints too much. */
    private static String await(final Process process, final Path output, final Duration timeout) throws IOException {
        final long startNs = System.nanoTime();
        String error = "";
        try {
            while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
                if (Files.size(output) > LENGTH_MAX) {
                    error = TOO_MUCH;
                } else if (System.nanoTime() - startNs > timeout.toNanos()) {
                    error = "took longer than " + timeout.toSeconds() + " s";
                }
                if (!error.isEmpty()) {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly().waitFor();
                    return error;
                }
            }
            return process.exitValue() == 0 ? "" : "exit code " + process.exitValue();
        } catch (final InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /**
     * The result of the process.
     *
     * @param bytes that were printed.
     * @param error how it failed; empty when it did not.
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Answer(byte[] bytes, String error) {}
}
