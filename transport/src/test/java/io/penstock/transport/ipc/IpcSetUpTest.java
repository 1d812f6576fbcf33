package io.penstock.transport.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.Connection;
import io.penstock.transport.SelectorLoop;
import io.penstock.transport.Transports;
import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Directories, files and doors. */
@EnabledOnOs(OS.LINUX)
class IpcSetUpTest {
    @TempDir
    private Path folder;

    private final IpcSide server;
    private final IpcSide client;

    IpcSetUpTest() throws IOException {
        server = new IpcSide();
        client = new IpcSide();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void shouldBeFoundByItsScheme() {
        assertThat(Transports.providerFor(URI.create("ipc:orders"))).isInstanceOf(IpcTransportProvider.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ipc:.hidden", "ipc:a/b", "ipc:..", "ipc://host", "ipc:/a#b", "tcp:a", "ipc:a%20b"})
    void shouldRefuseTheEndpointWhenItIsNoNameOrPath(final String endpoint) {
        assertThatThrownBy(() -> server.transport.listen(URI.create(endpoint)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("endpoint: not for shared memory: " + endpoint);
    }

    @ParameterizedTest
    @CsvSource({
        "ipc:/a?b, no such option: b",
        "ipc:/a?, no such option: ",
        "ipc:/a?size=5, no such option: size=5",
        "ipc:/a?ringLength=-1, no such option: ringLength=-1",
        "ipc:/a?ringLength=131072, ringLength: out of range: 131072",
        "ipc:/a?ringLength=300000, ringLength: out of range: 300000",
        "ipc:/a?ringLength=536870912, ringLength: out of range: 536870912",
        "ipc:/a?ringLength=4294967296, ringLength: out of range: 4294967296",
        "ipc:/a?ringLength=long, no such option: ringLength=long",
        "ipc:/a?wait=1, no such option: wait=1",
        "ipc:/a?wait=spin, wait: no such choice: spin (use futex or socket)",
        "ipc:/a?mode=666, mode: no such choice: 666",
        "ipc:a?mode=660, mode: not for a name: 660",
    })
    void shouldRefuseTheOptionWhenItIsNone(final String endpoint, final String reason) {
        assertThatThrownBy(() -> server.transport.listen(URI.create(endpoint)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(endpoint + ": " + reason);
    }

    @Test
    void shouldMakeRingsOfTheLengthAskedForWhenTheListenerTakesIt() throws IOException {
        final String endpoint = "ipc:" + folder.resolve("d");
        server.transport.listen(URI.create(endpoint + "?ringLength=4194304"));

        final Connection large = client.transport.connect(URI.create(endpoint + "?ringLength=4194304&mode=600"));
        final Connection plain = client.transport.connect(URI.create(endpoint));
        IpcSide.pollUntil("accepted", () -> server.connections.size() == 2, server);

        assertThat(framesThatFit(large)).isBetween(4 * framesThatFit(plain), 4 * framesThatFit(plain) + 4300);
        assertThat(server.connections.get(0).peer()).startsWith(endpoint + " (");
    }

    private static int framesThatFit(final Connection connection) {
        int count = 0;
        while (IpcSide.send(connection, count)) {
            count++;
        }
        return count;
    }

    @Test
    void shouldSendTheCallerAwayWhenItsRingsAreLongerThanTheListenerTakes() throws IOException {
        final Path directory = listen();

        final Connection connection =
                client.transport.connect(URI.create(IpcSide.endpoint(directory) + "?ringLength=2097152"));
        IpcSide.pollUntil("sent away", connection::isClosed, server, client);

        assertThat(client.reasons.get(connection.id())).startsWith("peer is gone");
        assertThat(server.errors.get(0))
                .hasMessageContaining("rings are too long: 2097152 (the limit is 1048576; raise the listener's");
        assertThat(directory.toFile().list()).containsExactlyInAnyOrder("door", "lock");
    }

    @Test
    void shouldLetTheGroupInWhenTheModeSaysSo() throws IOException {
        final Path directory = folder.resolve("d");
        final URI endpoint = URI.create("ipc:" + directory + "?mode=660");
        server.transport.listen(endpoint);

        final Connection connection = client.transport.connect(endpoint);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwxrwx---");
        for (final File file : present(directory.toFile().listFiles())) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.toPath())))
                    .as(file.getName())
                    .isEqualTo(file.getName().equals("lock") ? "rw-------" : "rw-rw----");
        }
        IpcSide.pollUntil("accepted", () -> server.connections.size() == 1, server);
        assertThat(connection.isClosed()).isFalse();
        assertThatThrownBy(() -> client.transport.connect(IpcSide.endpoint(directory)))
                .hasMessageContaining("others may enter the directory " + directory);
    }

    private static File[] present(final File @Nullable [] files) {
        return files == null ? new File[0] : files;
    }

    @Test
    void shouldLeaveNothingWhenTheConnectionCannotBeRegistered() throws IOException {
        final Path directory = listen();
        final SelectorLoop broken = new SelectorLoop();
        try (IpcSide bad = new IpcSide(broken)) {
            broken.close();
            failToConnect(bad, directory, 1);
            final long fileCount = openFileCount();
            final long mappingCount = mappingCount(directory);

            failToConnect(bad, directory, 2);

            assertThat(openFileCount()).isEqualTo(fileCount);
            assertThat(mappingCount(directory)).isEqualTo(mappingCount).isZero();
            assertThat(directory.toFile().list()).containsExactlyInAnyOrder("door", "lock");
            assertThat(bad.connections).isEmpty();
        }
    }

    private void failToConnect(final IpcSide side, final Path directory, final int count) {
        assertThatThrownBy(() -> side.transport.connect(IpcSide.endpoint(directory)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot connect: the selector is closed");
        IpcSide.pollUntil("sent away", () -> server.counters.protocolErrors() == count, server);
        // Closed descriptors go with the selector's next turn.
        server.transport.await(1);
        server.transport.poll(1);
    }

    private static long openFileCount() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }

    private static long mappingCount(final Path directory) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(directory.toString())).count();
        }
    }

    @Test
    void shouldPutNamesIntoTheUsersOwnDirectory() throws IOException {
        assertThat(IpcEndpoint.of(URI.create("ipc:orders")).directory())
                .isEqualTo(Access.sharedDirectory().resolve("orders"));
    }

    @Test
    void shouldLetNobodyElseInWhenItMakesDirectoryAndFiles() throws IOException {
        final Path directory = listen();
        final Path rings = directory.resolve("rings");
        RingFile.make(rings, RingFile.RING_LENGTH_MIN, Access.USER, Files.getOwner(directory))
                .close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(rings)))
                .isEqualTo("rw-------");
        assertThat(Files.size(rings)).isEqualTo(RingFile.lengthOf(RingFile.RING_LENGTH_MIN));
    }

    @Test
    void shouldRefuseTheDirectoryWhenOthersMayEnterIt() throws IOException {
        final Path directory = listen();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-x---"));
        final URI endpoint = IpcSide.endpoint(directory);

        assertThatThrownBy(() -> client.transport.connect(endpoint))
                .hasMessage(endpoint + ": cannot connect: others may enter the directory " + directory
                        + ": rwxr-x--- (chmod 700 it)");
        assertThatThrownBy(() -> client.transport.listen(endpoint))
                .hasMessageContaining("others may enter the directory");
    }

    @Test
    void shouldRefuseTheDirectoryWhenItIsALink() throws IOException {
        final Path directory = listen();
        final Path link = Files.createSymbolicLink(folder.resolve("link"), directory);

        assertThatThrownBy(() -> client.transport.connect(IpcSide.endpoint(link)))
                .hasMessageContaining("not a directory: " + link);
    }

    @Test
    void shouldRefuseThePathWhenItIsTooLongForASocket() {
        final Path directory = folder.resolve("x".repeat(110));

        assertThatThrownBy(() -> server.transport.listen(IpcSide.endpoint(directory)))
                .hasMessageContaining("cannot listen: path is too long for a socket in it: " + directory);
    }

    @Test
    void shouldRemoveWhatADeadListenerLeftWhenItListens() throws IOException {
        final Path directory = listen();
        server.close();
        Files.createFile(directory.resolve("rings-0000000000000001"));
        Files.createFile(directory.resolve("door"));

        try (IpcSide next = new IpcSide()) {
            next.transport.listen(IpcSide.endpoint(directory));
            client.transport.connect(IpcSide.endpoint(directory));
            IpcSide.pollUntil("accepted", () -> next.connections.size() == 1, next);
            assertThat(directory.toFile().list()).containsExactlyInAnyOrder("door", "lock");
        }
    }

    @Test
    void shouldRemoveTheFileWhenItsMakerEndsBeforeItIsWhole() throws IOException {
        final Path directory = listen();
        final Path rings = Files.createFile(IpcDirectory.ringsOf(directory, 7));
        try (SocketChannel channel = dial(directory)) {
            Hello.sendName(channel, 7);
        }

        IpcSide.pollUntil("removed", () -> !Files.exists(rings), server);

        assertThat(server.connections).isEmpty();
    }

    @Test
    void shouldSendTheCallerAwayWhenItsFileHasAnotherLength() throws IOException {
        final Path directory = listen();
        final Path rings = Files.createFile(IpcDirectory.ringsOf(directory, 7));
        try (SocketChannel channel = dial(directory)) {
            Hello.sendName(channel, 7);
            Hello.sendWhole(channel);

            IpcSide.pollUntil("sent away", () -> !server.errors.isEmpty(), server);
        }

        assertThat(server.errors.get(0)).hasMessageContaining("no file has this length: 0");
        assertThat(server.connections).isEmpty();
        assertThat(rings).doesNotExist();
    }

    @Test
    void shouldSendTheCallerAwayWhenItSaysSomethingElse() throws IOException {
        final Path directory = listen();
        try (SocketChannel channel = dial(directory)) {
            channel.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8)));
            IpcSide.pollUntil("sent away", () -> server.counters.protocolErrors() == 1, server);
        }

        client.transport.connect(IpcSide.endpoint(directory));
        IpcSide.pollUntil("accepted", () -> server.connections.size() == 1, server);
    }

    private Path listen() throws IOException {
        return IpcEndpoint.of(server.transport.listen(IpcSide.endpoint(folder.resolve("d"))))
                .directory();
    }

    private static SocketChannel dial(final Path directory) throws IOException {
        final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(directory.resolve("door")));
        return channel;
    }
}
