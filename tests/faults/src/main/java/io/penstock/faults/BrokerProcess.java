package io.penstock.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The runnable jar as a process of its own, with files of 256 KiB so that many are begun. */
final class BrokerProcess implements AutoCloseable {
    private static final String LISTENING = "listening on ";
    private static final int START_TIMEOUT_S = 60;
    private static final int OUTPUT_MAX = 200;
    private static final String NOTHING = "";

    private final Process process;
    private final BlockingQueue<String> endpoint = new ArrayBlockingQueue<>(1);
    private final Queue<String> output = new ConcurrentLinkedQueue<>();
    private final Thread reader;

    private BrokerProcess(final Process process) {
        this.process = process;
        reader = new Thread(this::read, "broker-output");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a broker.
     *
     * @param jar       to run.
     * @param directory of its journal.
     * @param wrapper   command that runs it, or nothing.
     * @param options   more of {@code serve}.
     */
    static BrokerProcess start(
            final Path jar, final Path directory, final List<String> wrapper, final String... options)
            throws IOException {
        final List<String> command = new ArrayList<>(wrapper);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // What starts soonest.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xmx256m",
                "-jar",
                jar.toString(),
                "serve",
                "--listen",
                "tcp://127.0.0.1:0",
                "--set",
                "journal.directory=" + directory,
                "--set",
                "sessions.messageLengthMax=65536",
                "--set",
                "window.segmentLength=1048576"));
        command.addAll(List.of(options));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        return new BrokerProcess(builder.start());
    }

    long pid() {
        return process.pid();
    }

    /** Waits until clients can connect. Returns the endpoint, or null when the broker has ended. */
    @Nullable
    String awaitEndpoint() throws InterruptedException {
        final String found = endpoint.poll(START_TIMEOUT_S, TimeUnit.SECONDS);
        return found == null || found.equals(NOTHING) ? null : found;
    }

    /** What it has printed. */
    String output() {
        return String.join(" / ", output);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        kill();
    }

    /** As {@code kill -9}; waits until it is gone. */
    void kill() {
        final List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor();
            reader.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        int count = 0;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(LISTENING)) {
                    endpoint.offer(line.substring(LISTENING.length()));
                }
                if (count++ < OUTPUT_MAX) {
                    output.add(line);
                }
            }
        } catch (final IOException e) {
            // It was killed.
        }
        endpoint.offer(NOTHING);
    }
}
