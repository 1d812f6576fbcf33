package io.penstock.bench;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Idle clients, and one that does not read its messages, in a process of their own. */
final class Crowd implements PairedRounds.Running {
    static final String READY = "ready";

    private final Process process;
    private final int count;

    private Crowd(final Process process, final int count) {
        this.process = process;
        this.count = count;
    }

    /** Starts a crowd, and waits until all of it has logged on. */
    static Crowd start(final String endpoint, final int count) throws IOException {
        final Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        CrowdCommand.NAME,
                        endpoint,
                        Integer.toString(count)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        final BufferedReader answers =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        if (!READY.equals(answers.readLine())) {
            Children.end(process);
            throw CommandFailure.failed("bench: the idle connections could not be made (see the message above)");
        }
        return new Crowd(process, count);
    }

    /** How many there are; fails when they are not there any more. */
    @Override
    public double figure() {
        if (!process.isAlive()) {
            throw CommandFailure.failed("bench: the idle connections were lost (see the message above)");
        }
        return count;
    }

    @Override
    public void close() {
        Children.end(process);
    }
}
