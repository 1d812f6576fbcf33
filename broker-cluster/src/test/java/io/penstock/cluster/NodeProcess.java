package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A node in a process of its own, which can be killed. */
final class NodeProcess implements AutoCloseable {
    private static final String LISTENING = "listening on ";

    private final ClusterConfig config;
    private final Path output;
    private final Process process;

    NodeProcess(final int member, final List<String> members, final Path folder, final String endpoint)
            throws IOException {
        config = NodeMain.config(
                member, members, folder.resolve("node-" + member).toString());
        output = Files.createTempFile(folder, "node-" + member + "-", ".out");
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "--add-exports",
                        "java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NodeMain.class.getName(),
                        String.valueOf(member),
                        config.directory(),
                        endpoint,
                        String.join(",", members))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** Where it serves clients; empty while it does not. */
    String endpoint() {
        final String text = text();
        final int start = text.indexOf(LISTENING);
        final int end = text.indexOf('\n', Math.max(0, start));
        if (start >= 0 && end >= 0) {
            return text.substring(start + LISTENING.length(), end).strip();
        }
        if (!process.isAlive()) {
            throw new AssertionError("a node has ended: " + text);
        }
        return "";
    }

    private String text() {
        try {
            return Files.readString(output, UTF_8);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean leads() {
        return process.isAlive() && ClusterStatus.read(config).state() == ClusterStatus.State.LEADS;
    }

    /** As a power cut would, but that the system's memory of files stays. */
    void kill() {
        process.destroyForcibly();
        Await.until("the end of a process", () -> !process.isAlive());
    }

    @Override
    public void close() {
        kill();
    }
}
