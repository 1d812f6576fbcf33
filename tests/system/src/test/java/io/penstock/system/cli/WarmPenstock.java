package io.penstock.system.cli;

import io.penstock.standalone.CommandLoop;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The runnable jar's classes in a process that runs all the commands of this test JVM, one after another. */
final class WarmPenstock {
    private static @Nullable WarmPenstock shared;

    private final Process process;
    private final DataOutputStream requests;
    private final LinkedBlockingQueue<String> out = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> err = new LinkedBlockingQueue<>();

    private WarmPenstock() throws IOException {
        final List<String> command = new ArrayList<>(Penstock.java());
        // What the jar's manifest says when it is run as one.
        command.addAll(List.of(
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                Penstock.jarBesideBenchmarks() + ":" + testClasses(),
                CommandLoop.class.getName()));
        process = Penstock.processOf(command).start();
        requests = new DataOutputStream(process.getOutputStream());
        readLines(process.getInputStream(), out);
        readLines(process.getErrorStream(), err);
    }

    /** Runs a command and waits for its end. */
    static synchronized Penstock.Result run(final String input, final String... arguments)
            throws IOException, InterruptedException {
        WarmPenstock warm = shared;
        if (warm == null || !warm.process.isAlive()) {
            warm = new WarmPenstock();
            shared = warm;
        }
        try {
            return warm.runOne(input, arguments);
        } catch (final Throwable e) {
            warm.process.destroyForcibly();
            shared = null;
            throw e;
        }
    }

    private Penstock.Result runOne(final String input, final String... arguments)
            throws IOException, InterruptedException {
        requests.writeInt(arguments.length);
        for (final String argument : arguments) {
            requests.writeUTF(argument);
        }
        final byte[] bytes = input.getBytes(StandardCharsets.UTF_8);
        requests.writeInt(bytes.length);
        requests.write(bytes);
        requests.flush();
        final List<String> outLines = new ArrayList<>();
        final List<String> errLines = new ArrayList<>();
        final int exitCode = await(out, outLines);
        await(err, errLines);
        return new Penstock.Result(exitCode, String.join("\n", outLines), String.join("\n", errLines));
    }

    /** Takes lines up to the end of the command's output, and its exit code from there. */
    private int await(final LinkedBlockingQueue<String> from, final List<String> lines) throws InterruptedException {
        while (true) {
            final String line = from.poll(Penstock.TIMEOUT_S, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError(
                        "no end of a command; alive: " + process.isAlive() + "; stdout: " + lines + "; stderr: " + err);
            }
            final int end = line.indexOf(CommandLoop.END);
            if (end < 0) {
                lines.add(line);
                continue;
            }
            if (end > 0) {
                lines.add(line.substring(0, end));
            }
            return Integer.parseInt(line.substring(end + 1));
        }
    }

    private static String testClasses() {
        return Path.of(CommandLoop.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .toString();
    }

    private static void readLines(final InputStream in, final LinkedBlockingQueue<String> lines) {
        final Thread thread = new Thread(() -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                reader.lines().forEach(lines::add);
            } catch (final IOException | UncheckedIOException ignored) {
                // The process was killed.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
