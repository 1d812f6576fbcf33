package io.penstock.transport.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.transport.RequiredFlags;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Other processes at the other end. */
@EnabledOnOs(OS.LINUX)
class IpcProcessTest {
    private static final int KILL_COUNT = Integer.getInteger("penstock.kills", 5);

    @TempDir
    private Path folder;

    private final IpcSide server;
    private URI endpoint = URI.create("ipc:none");

    IpcProcessTest() throws IOException {
        server = new IpcSide();
    }

    @BeforeEach
    void listen() throws IOException {
        endpoint = server.transport.listen(IpcSide.endpoint(folder.resolve("d")));
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void shouldRefuseToListenWhenAnotherProcessDoes() throws Exception {
        final Process other = start("", "listen");

        assertThat(output(other))
                .isEqualTo(
                        endpoint + ": cannot listen: already in use (choose another name, or stop what listens there)");
        assertThat(other.waitFor()).isZero();
    }

    @Test
    void shouldSayWhatToDoWhenThereIsNoLibraryForFutexes() throws Exception {
        endpoint = URI.create(endpoint + "?wait=futex");
        final Process other = start("JDK_JAVA_OPTIONS=-Dpenstock.native=none ", "publish");

        assertThat(output(other))
                .isEqualTo(endpoint + ": cannot connect: native library: not there: switched off with"
                        + " penstock.native=none (use wait=socket)");
    }

    @Test
    void shouldSayWhatToDoWhenThereIsNoRoomForTheFile() throws Exception {
        final Process other = start("ulimit -f 1024; ", "publish");

        final String said = output(other);

        assertThat(said)
                .startsWith(endpoint + ": cannot connect: no " + RingFile.lengthOf(RingFile.RING_LENGTH_DEFAULT)
                        + " bytes for the file ")
                .endsWith("(make room there, use a smaller ringLength, or ipc:/path with a directory elsewhere)");
        IpcSide.pollUntil("sent away", () -> server.counters.protocolErrors() == 1, server);
        assertThat(files()).containsExactlyInAnyOrder("door", "lock");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?wait=futex"})
    void shouldGoOnWhenProcessesAreKilledAtAnyTime(final String options) throws Exception {
        if (!options.isEmpty()) {
            IpcSide.needFutexes();
            endpoint = server.transport.listen(URI.create(IpcSide.endpoint(folder.resolve("e")) + options));
        }
        final Random random = new Random(11);
        final Map<Long, Integer> next = new HashMap<>();
        server.rule = (connection, buffer, offset, length) -> {
            final int number = next.merge(connection.id(), 1, Integer::sum) - 1;
            assertThat(IpcSide.isFrame(buffer, offset, length, number)).isTrue();
            return true;
        };
        for (int i = 0; i < KILL_COUNT; i++) {
            final int before = server.connections.size();
            final int frameCount = random.nextInt(20_000);
            final Process process = start("", "publish");
            try {
                IpcSide.awaitUntil(
                        server,
                        () -> server.connections.size() > before
                                && next.getOrDefault(
                                                server.connections.get(before).id(), 0)
                                        >= frameCount);
            } finally {
                process.destroyForcibly().waitFor();
            }
            IpcSide.awaitUntil(server, server.connections.get(before)::isClosed);
            assertThat(server.reasons.get(server.connections.get(before).id())).startsWith("peer is gone");
        }

        assertThat(server.reasons).hasSize(KILL_COUNT);
        assertThat(server.counters.protocolErrors()).isZero();
        assertThat(server.errors).isEmpty();
        assertThat(files()).containsExactlyInAnyOrder("door", "lock");
    }

    @Test
    void shouldKeepNothingWhenProcessesAreKilledWhileTheyStart() throws Exception {
        final Random random = new Random(12);
        for (int i = 0; i < KILL_COUNT; i++) {
            final Process process = start("", "publish");
            try {
                final long endNs = System.nanoTime() + random.nextInt(600_000_000);
                IpcSide.pollUntil("the time is up", () -> System.nanoTime() - endNs >= 0, server);
            } finally {
                process.destroyForcibly().waitFor();
            }
        }

        IpcSide.pollUntil("all are gone", () -> server.reasons.size() == server.connections.size(), server);
        IpcSide.pollUntil("nothing is left", () -> files().size() == 2, server);
        assertThat(files()).containsExactlyInAnyOrder("door", "lock");
        assertThat(server.errors).isEmpty();
    }

    private Process start(final String before, final String what) throws IOException {
        final List<String> command = new ArrayList<>(List.of("bash", "-c", before + "exec \"$@\"", "bash"));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                RequiredFlags.ADD_EXPORTS,
                "-cp",
                System.getProperty("java.class.path"),
                IpcProgram.class.getName(),
                what,
                endpoint.toString()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static String output(final Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private List<String> files() {
        try (Stream<Path> files = Files.list(folder.resolve("d"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
