package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker as a unit of systemd starts it, and what systemd accepts. */
@Timeout(120)
class ServiceNoticeTest {
    private static final Path DIST = Path.of("../../broker-standalone/src/dist");

    /** As systemd does, it closes what a notice brings with it: its sender waits for that. */
    private static final String RECEIVER = """
            import socket, sys
            receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            receiver.bind(sys.argv[1])
            print("bound", flush=True)
            while True:
                print(receiver.recv(4096).decode().replace("\\n", " "), flush=True)
            """;

    @TempDir
    private Path folder;

    @Test
    void shouldNotifyWhenClientsCanConnectAndWhenItStops() throws Exception {
        assumeTrue(isThere("systemd-notify") && isThere("python3"), "needs systemd-notify and python3");
        final Path socket = folder.resolve("notify");
        final Process receiver = new ProcessBuilder("python3", "-c", RECEIVER, socket.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader notices =
                new BufferedReader(new InputStreamReader(receiver.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(notices.readLine()).isEqualTo("bound");
            final List<String> command = new ArrayList<>(Penstock.java());
            command.addAll(List.of("-jar", Penstock.jar().toString(), "serve", "--listen", "tcp://127.0.0.1:0"));
            final ProcessBuilder builder = Penstock.processOf(command);
            builder.environment().put("NOTIFY_SOCKET", socket.toString());
            try (Penstock broker = Penstock.start(builder)) {
                final String endpoint = broker.awaitLine("listening on ").replaceFirst("listening on ", "");
                assertThat(nextStatus(notices)).contains("READY=1", "STATUS=listening on " + endpoint);
                broker.terminate();
                assertThat(nextStatus(notices)).contains("STOPPING=1");
                assertThat(broker.await().exitCode()).isZero();
            }
        } finally {
            receiver.destroyForcibly();
        }
    }

    @Test
    void shouldBeAUnitThatSystemdTakes() throws Exception {
        assumeTrue(isThere("systemd-analyze"), "needs systemd-analyze");
        final Path unit = folder.resolve("penstock.service");
        Files.writeString(
                unit,
                Files.readString(DIST.resolve("systemd/penstock.service"))
                        .replace("ExecStart=/usr/bin/penstock", "ExecStart=/bin/sh"));
        final String verified = run(0, "systemd-analyze", "verify", "--man=no", unit.toString());
        assertThat(verified).isEmpty();
        // The lower the better; a unit without any of this has 9.6.
        run(0, "systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", unit.toString());
    }

    private static String nextStatus(final BufferedReader notices) throws IOException {
        String line = notices.readLine();
        while (line != null && !line.contains("STATUS=")) {
            line = notices.readLine();
        }
        return String.valueOf(line);
    }

    private static String run(final int exitCode, final String... command) throws Exception {
        final Process process =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        final String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isEqualTo(exitCode);
        return out;
    }

    private static boolean isThere(final String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
