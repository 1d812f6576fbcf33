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
    /** As much of what is printed is taken. */
    private static final int LENGTH_MAX = 16 * 1024 * 1024;

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
            final String error = await(process, timeout);
            try (var in = Files.newInputStream(output)) {
                final byte[] printed = in.readNBytes(LENGTH_MAX);
                final boolean isCut = error.isEmpty() && in.read() >= 0;
                return new Answer(printed, isCut ? "printed more than " + LENGTH_MAX + " bytes" : error);
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

    private static String await(final Process process, final Duration timeout) {
        try {
            if (process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue() == 0 ? "" : "exit code " + process.exitValue();
            }
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            return "took longer than " + timeout.toSeconds() + " s";
        } catch (final InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /**
     * What came of it.
     *
     * @param bytes that were printed.
     * @param error how it failed; empty when it did not.
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Answer(byte[] bytes, String error) {}
}
