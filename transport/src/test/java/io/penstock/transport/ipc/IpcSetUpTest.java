package io.penstock.transport.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.Transports;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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
    @ValueSource(
            strings = {"ipc:.hidden", "ipc:a/b", "ipc:..", "ipc://host", "ipc:/a?b", "ipc:/a#b", "tcp:a", "ipc:a%20b"})
    void shouldRefuseTheEndpointWhenItIsNoNameOrPath(final String endpoint) {
        assertThatThrownBy(() -> server.transport.listen(URI.create(endpoint)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("endpoint: not for shared memory: " + endpoint);
    }

    @Test
    void shouldPutNamesIntoTheUsersOwnDirectory() throws IOException {
        assertThat(IpcEndpoint.of(URI.create("ipc:orders")).directory())
                .isEqualTo(Owner.sharedDirectory().resolve("orders"));
    }

    @Test
    void shouldLetNobodyElseInWhenItMakesDirectoryAndFiles() throws IOException {
        final Path directory = listen();
        final Path rings = directory.resolve("rings");
        RingFile.make(rings).close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(rings)))
                .isEqualTo("rw-------");
        assertThat(Files.size(rings)).isEqualTo(RingFile.LENGTH);
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

        assertThat(server.errors.get(0)).hasMessageContaining("file has another length: 0");
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
