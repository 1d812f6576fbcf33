package io.penstock.transport.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.LentMemory;
import io.penstock.transport.RemoteMemory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class MemoryFileTest {
    private static final int LENGTH = 300_000;

    @TempDir
    Path directory;

    private @Nullable RingFile made;

    @BeforeEach
    void make() throws IOException {
        final Path path = directory.resolve("rings");
        made = RingFile.make(path, RingFile.RING_LENGTH_MIN, Access.USER, Files.getOwner(directory));
        Files.delete(path);
    }

    @AfterEach
    void close() {
        rings().close();
    }

    private RingFile rings() {
        if (made == null) {
            throw new AssertionError("not made");
        }
        return made;
    }

    private static byte[] pull(final RemoteMemory memory, final long offset, final int length) throws IOException {
        final ByteBuffer into = ByteBuffer.allocateDirect(length);
        memory.pull(offset, into);
        final byte[] bytes = new byte[length];
        into.flip().get(bytes);
        return bytes;
    }

    @Test
    void shouldBringWhatTheLenderHasWritten() throws IOException {
        try (LentMemory lent = MemoryFile.make(rings(), LENGTH);
                RemoteMemory remote = MemoryFile.take(rings(), lent.key(), LENGTH)) {
            lent.buffer().putBytes(LENGTH - 3, new byte[] {1, 2, 3});

            assertThat(remote.length()).isEqualTo(LENGTH);
            assertThat(pull(remote, LENGTH - 4, 4)).containsExactly(0, 1, 2, 3);
            assertThat(directory).as("has no name any more").isEmptyDirectory();
        }
    }

    @Test
    void shouldFailAndNotDieWhenTheLenderMakesItShorter() throws IOException {
        try (LentMemory lent = MemoryFile.make(rings(), LENGTH)) {
            final Path path = directory.resolve(MemoryFile.PREFIX + lent.key());
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE);
                    RemoteMemory remote = MemoryFile.take(rings(), lent.key(), LENGTH)) {
                file.truncate(100);

                assertThat(pull(remote, 0, 100)).hasSize(100);
                assertThatThrownBy(() -> pull(remote, 0, 101))
                        .isInstanceOf(EOFException.class)
                        .hasMessageContaining("ends at 100");
                assertThatThrownBy(() -> pull(remote, 200_000, 5)).isInstanceOf(EOFException.class);
            }
        }
    }

    @Test
    void shouldRefuseWhatIsNoMemoryOfThisLength() throws IOException {
        try (LentMemory lent = MemoryFile.make(rings(), LENGTH)) {
            assertThatThrownBy(() -> MemoryFile.take(rings(), lent.key(), LENGTH + 1))
                    .hasMessageContaining("another length: 300000, not 300001");
            assertThatThrownBy(() -> MemoryFile.take(rings(), lent.key(), LENGTH))
                    .as("is good once")
                    .isInstanceOf(IOException.class);
        }
        Files.writeString(directory.resolve("secret"), "x");
        for (final String key : new String[] {"", "../secret", "/etc/passwd", "0", "\u0000", "x".repeat(32)}) {
            assertThatThrownBy(() -> MemoryFile.take(rings(), key, 1))
                    .as("key %s", key)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not the key");
        }
        final Path link = directory.resolve(MemoryFile.PREFIX + "0".repeat(32));
        Files.createSymbolicLink(link, directory.resolve("secret"));
        assertThatThrownBy(() -> MemoryFile.take(rings(), "0".repeat(32), 1)).isInstanceOf(IOException.class);
        assertThat(directory.resolve("secret")).exists();
    }

    @Test
    void shouldLeaveNothingWhenNobodyTakesIt() throws IOException {
        final LentMemory lent = MemoryFile.make(rings(), LENGTH);
        assertThat(names()).hasSize(1);
        lent.close();
        lent.close();

        assertThat(names()).isEmpty();
    }

    private Path[] names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toArray(Path[]::new);
        }
    }
}
