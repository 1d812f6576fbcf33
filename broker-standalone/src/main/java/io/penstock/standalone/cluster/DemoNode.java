package io.penstock.standalone.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.cluster.ClusterConfig;
import io.penstock.cluster.ClusterStatus;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node of the demonstration, in a process of its own that runs {@code penstock serve}. */
final class DemoNode implements AutoCloseable {
    private static final String LISTENING = "listening on ";
    private static final long END_WAIT_S = 15;

    private final int member;
    private final Path folder;
    private final ClusterConfig config;
    private String listen = "tcp://127.0.0.1:0";
    private @Nullable Process process;

    DemoNode(final int member, final List<String> members, final Path folder) {
        this.member = member;
        this.folder = folder;
        config = new ClusterConfig(
                member,
                members,
                folder.resolve("node-" + member).toString(),
                // A node that was killed leaves it behind: it goes with the folder.
                folder.resolve("driver-" + member).toString(),
                false,
                ClusterConfig.DETECTION_MS_DEFAULT,
                ClusterConfig.SYNC_LEVEL_DEFAULT,
                false);
    }

    /** Starts the process; does not wait for it. */
    void start() throws IOException {
        final Path file = folder.resolve("node-" + member + ".yaml");
        Files.writeString(file, yaml(), UTF_8);
        Files.deleteIfExists(output());
        process = new ProcessBuilder(command(file))
                .redirectOutput(output().toFile())
                .redirectErrorStream(true)
                .start();
    }

    /** Small windows: three of them share the memory of one machine. */
    private String yaml() {
        return """
                listen: ["%s"]
                window:
                  segmentLength: 4194304
                  segmentCount: 4
                sessions:
                  messageLengthMax: 1048576
                cluster:
                  member: %d
                  members: [%s]
                  directory: "%s"
                  driverDirectory: "%s"
                """.formatted(
                        listen,
                        member,
                        '"' + String.join("\", \"", config.members()) + '"',
                        config.directory(),
                        config.driverDirectory());
    }

    private static List<String> command(final Path file) {
        final List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "--add-exports",
                "java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of("serve", "--cluster", file.toString()));
        return command;
    }

    private Path output() {
        return folder.resolve("node-" + member + ".out");
    }

    /** Whether it serves clients. Fails when it has ended instead. */
    boolean isListening() {
        final Process running = process;
        if (running == null) {
            return false;
        }
        try {
            final String text = Files.exists(output()) ? Files.readString(output(), UTF_8) : "";
            final int start = text.indexOf(LISTENING);
            final int end = text.indexOf('\n', Math.max(start, 0));
            if (start >= 0 && end >= 0) {
                listen = text.substring(start + LISTENING.length(), end).strip();
                return true;
            }
            if (!running.isAlive()) {
                throw CommandFailure.failed("node " + member + " has ended: " + text.strip());
            }
            return false;
        } catch (final IOException e) {
            throw CommandFailure.failed("node " + member + ": " + e.getMessage());
        }
    }

    int member() {
        return member;
    }

    /** Where clients reach it, once it has listened. */
    String endpoint() {
        return listen;
    }

    /** Of the process that runs now. */
    long pid() {
        final Process running = process;
        return running == null ? 0 : running.pid();
    }

    ClusterStatus status() {
        return ClusterStatus.read(config);
    }

    boolean leads() {
        return status().state() == ClusterStatus.State.LEADS;
    }

    /** Ends it as a power cut would: nothing of it runs any more when this returns. */
    void kill() {
        final Process running = process;
        if (running != null) {
            running.destroyForcibly();
            awaitEnd(running, END_WAIT_S);
            process = null;
        }
    }

    /** Ends it in an orderly way. */
    @Override
    public void close() {
        final Process running = process;
        if (running != null) {
            running.destroy();
            if (!awaitEnd(running, END_WAIT_S)) {
                kill();
            }
            process = null;
        }
    }

    private static boolean awaitEnd(final Process running, final long seconds) {
        try {
            return running.waitFor(seconds, TimeUnit.SECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
