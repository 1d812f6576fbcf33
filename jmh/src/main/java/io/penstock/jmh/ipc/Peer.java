package io.penstock.jmh.ipc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process with the same class path, which prints its address and lives until its input ends. */
final class Peer implements AutoCloseable {
    /** Flags that processes need which use memory as Agrona does. */
    private static final List<String> FLAGS = List.of(
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");

    private final Process process;
    private final String address;

    private Peer(final Process process, final String address) {
        this.process = process;
        this.address = address;
    }

    static Peer start(final Class<?> main) throws IOException {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        final Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        final String address =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (address == null) {
            throw new IOException(main.getSimpleName() + " did not start (see its message above)");
        }
        return new Peer(process, address);
    }

    /** What a peer does once it is ready: says where, and waits until its starter is gone. */
    static void serve(final String address) throws IOException {
        System.out.println(address);
        while (System.in.read() >= 0) {
            // Nothing is said to it.
        }
    }

    String address() {
        return address;
    }

    void pause() throws IOException, InterruptedException {
        signal("-STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(final String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", name, String.valueOf(process.pid())).start().waitFor();
    }

    /** Goes on if it was stopped, or it would never see the signal. */
    @Override
    public void close() {
        try {
            resume();
            process.destroy();
            process.waitFor();
        } catch (final IOException | InterruptedException ignored) {
            // Force is needed then.
        }
        process.destroyForcibly();
    }
}
