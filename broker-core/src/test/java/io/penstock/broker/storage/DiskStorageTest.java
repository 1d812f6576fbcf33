package io.penstock.broker.storage;

import static io.penstock.broker.storage.AlignedBuffer.BLOCK_LENGTH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class DiskStorageTest {
    private static final int BLOCK_COUNT = 4;

    @TempDir
    Path directory;

    private final AlignedBuffer memory = new AlignedBuffer(BLOCK_COUNT * BLOCK_LENGTH);

    @AfterEach
    void free() {
        memory.free();
    }

    @Test
    void shouldReadThroughTheCacheWhatWasWrittenPastIt() throws IOException {
        final Storage storage = DiskStorage.open(directory.toString());
        try (StoredFile file = storage.createDirect("a")) {
            write(file, 1);
            assertThat(firstBytes(storage)).containsExactly(1, 1, 1, 1);
            write(file, 2);
            file.sync();
            assertThat(firstBytes(storage)).containsExactly(2, 2, 2, 2);
        }
        try (StoredFile file = storage.openDirect("a")) {
            assertThat(file.read(memory.bytes().clear(), BLOCK_LENGTH)).isEqualTo((BLOCK_COUNT - 1) * BLOCK_LENGTH);
            write(file, 3);
        }
        assertThat(firstBytes(storage)).containsExactly(3, 3, 3, 3);
    }

    @Test
    void shouldSayWhichFilesAreThere() throws IOException {
        final Storage storage = DiskStorage.open(directory.toString());
        assertThat(storage.exists("a")).isFalse();
        storage.create("a").close();
        storage.directory("b");
        assertThat(storage.exists("a")).isTrue();
        assertThat(storage.exists("b")).isFalse();
        assertThat(storage.list()).containsExactly("a");
        storage.delete("a");
        assertThat(storage.exists("a")).isFalse();
    }

    @Test
    void shouldSayThatTheBytesOfACopyOnTheSameDiskAreShared() throws IOException {
        final Storage storage = DiskStorage.open(directory.toString());
        storage.create("a").close();
        assertThat(storage.isShared("a")).isFalse();
        final Storage archive = storage.directory("archive");
        storage.copy("a", archive);
        assertThat(storage.isShared("a")).isTrue();
        assertThat(archive.isShared("a")).isTrue();
        storage.delete("a");
        assertThat(archive.isShared("a")).isFalse();
    }

    @Test
    void shouldNotMakeAFileThatIsThere() throws IOException {
        final Storage storage = DiskStorage.open(directory.toString());
        storage.create("a").close();
        assertThatThrownBy(() -> storage.createDirect("a")).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> storage.openDirect("b")).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    @DisabledIf("hasNoMemoryFileSystem")
    void shouldWriteFilesOfAnyFileSystem() throws IOException {
        final Path inMemory = Files.createTempDirectory(Path.of("/dev/shm"), "penstock-");
        try {
            final Storage storage = DiskStorage.open(inMemory.toString());
            try (StoredFile file = storage.createDirect("a")) {
                write(file, 1);
            }
            assertThat(firstBytes(storage)).containsExactly(1, 1, 1, 1);
        } finally {
            Files.delete(inMemory.resolve("a"));
            Files.delete(inMemory);
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldMakeWhatNobodyElseMayUse() throws IOException {
        final Path made = directory.resolve("a").resolve("b");
        final Storage storage = DiskStorage.open(made.toString());
        storage.create("plain").close();
        storage.createDirect("direct").close();
        storage.directory("shard").create("file").close();
        storage.lock().close();
        try (Stream<Path> all = Files.walk(directory.resolve("a"))) {
            assertThat(all)
                    .allSatisfy(path -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                            .as(path.toString())
                            .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
        }
        assertThat(storage.wideRights()).isNull();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldTakeTheLockFileFromOthersAndNothingElseWhenItWasThere() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        final Path lock = Files.createFile(directory.resolve("penstock.lock"));
        final Path file = Files.createFile(directory.resolve("file"));
        for (final Path each : List.of(lock, file)) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rw-r--r--"));
        }
        final Storage storage = DiskStorage.open(directory.toString());
        storage.lock().close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(lock)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r--r--");
        assertThat(storage.wideRights()).isEqualTo("rwxr-xr-x");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldNotFollowALinkWhenSomebodyHasPutOneInTheLocksPlace() throws IOException {
        final Path other = Files.createFile(directory.resolve("other"));
        Files.createSymbolicLink(directory.resolve("penstock.lock"), other);

        assertThatThrownBy(() -> DiskStorage.open(directory.toString()).lock()).isInstanceOf(IOException.class);
    }

    /** Whatever is wrong is for the reader to find. */
    @Test
    void shouldPrefetchWhatIsThereAndWhatIsNot() throws IOException {
        final Storage storage = DiskStorage.open(directory.toString());
        try (StoredFile file = storage.create("a")) {
            write(file, 1);
        }
        storage.prefetch("a");
        storage.prefetch("b");
        assertThat(firstBytes(storage)).containsExactly(1, 1, 1, 1);
    }

    static boolean hasNoMemoryFileSystem() {
        return !Files.isWritable(Path.of("/dev/shm"));
    }

    private void write(final StoredFile file, final int value) throws IOException {
        memory.buffer().setMemory(0, memory.capacity(), (byte) value);
        file.write(memory.bytes().clear(), 0);
    }

    /** Of each block, read as others read it. */
    private byte[] firstBytes(final Storage storage) throws IOException {
        final byte[] first = new byte[BLOCK_COUNT];
        try (StoredFile file = storage.open("a", false)) {
            assertThat(file.length()).isEqualTo((long) BLOCK_COUNT * BLOCK_LENGTH);
            assertThat(file.read(memory.bytes().clear(), 0)).isEqualTo(BLOCK_COUNT * BLOCK_LENGTH);
        }
        for (int i = 0; i < BLOCK_COUNT; i++) {
            first[i] = memory.buffer().getByte(i * BLOCK_LENGTH);
        }
        return first;
    }
}
