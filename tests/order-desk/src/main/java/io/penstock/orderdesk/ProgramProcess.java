package io.penstock.orderdesk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process, and what it prints. Used by one thread, beside the one that reads. */
final class ProgramProcess implements AutoCloseable {
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int LINES_MAX = 2000;

    private final Process process;
    private final List<String> lines = new ArrayList<>();
    private final Thread reader;
    private boolean isAtEnd;

    ProgramProcess(final Process process) {
        this.process = process;
        reader = new Thread(this::read, "output-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                add(line);
            }
        } catch (final IOException e) {
            // It was killed.
        }
        end();
    }

    private synchronized void add(final String line) {
        if (lines.size() < LINES_MAX) {
            lines.add(line);
        }
        notifyAll();
    }

    private synchronized void end() {
        isAtEnd = true;
        notifyAll();
    }

    /** Waits for a line. */
    synchronized Matcher awaitLine(final Pattern pattern) throws InterruptedException {
        final long endNs = System.nanoTime() + TIMEOUT_NS;
        int next = 0;
        while (true) {
            for (; next < lines.size(); next++) {
                final Matcher matcher = pattern.matcher(lines.get(next));
                if (matcher.find()) {
                    return matcher;
                }
            }
            final long leftNs = endNs - System.nanoTime();
            if (isAtEnd || leftNs <= 0) {
                throw new IllegalStateException("printed no line like " + pattern + ", but:\n" + text());
            }
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
        }
    }

    synchronized String text() {
        return String.join("\n", lines);
    }

    /** As {@code kill -9}; waits until it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
        reader.join();
    }

    /** As {@code kill}; returns the exit code. */
    int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(TIMEOUT_NS, TimeUnit.NANOSECONDS)) {
            kill();
            throw new IllegalStateException("did not end when it was asked to:\n" + text());
        }
        reader.join();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
