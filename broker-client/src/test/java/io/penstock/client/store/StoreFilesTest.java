package io.penstock.client.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.PenstockException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a store on disks that fail, and after a kill or a loss of power. */
class StoreFilesTest {
    private static final long MAGIC = 0x5453455445524F54L;
    private static final int ROOM = 64 * 1024;

    @TempDir
    Path directory;

    private final FaultyDisk disk = new FaultyDisk();
    private final List<String> found = new ArrayList<>();
    private final List<String> logged = new ArrayList<>();
    private final Logger logger = Logger.getLogger("io.penstock.client");
    private final Handler recorder = new Handler() {
        @Override
        public void publish(final LogRecord entry) {
            logged.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void recordWhatIsLogged() {
        logger.addHandler(recorder);
    }

    @AfterEach
    void recordNoMore() {
        logger.removeHandler(recorder);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGoOnBehindTheLastRecordWhenTheDiskHasRoomAgain(final boolean isSynced) throws IOException {
        final List<String> written = new ArrayList<>();
        try (StoreFiles files = open(isSynced)) {
            disk.growthLimit(ROOM + 100);
            assertThatThrownBy(() -> {
                        while (true) {
                            append(files, written, "record " + written.size() + "x".repeat(1000));
                        }
                    })
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("cannot be made longer");
            assertThat(Files.size(file(0))).isEqualTo(ROOM);
            assertThat(files.newest().length()).isLessThan(ROOM);
            append(files, written, "short");
            disk.growthLimit(Long.MAX_VALUE);
            append(files, written, "long" + "x".repeat(3000));
        }

        assertThat(readAgain(isSynced)).isEqualTo(written);
    }

    @Test
    void shouldGoOnInTheNewestFileWhenThereIsNoRoomToBeginTheOther() {
        final List<String> written = new ArrayList<>();
        try (StoreFiles files = open(false)) {
            append(files, written, "a");
            disk.growthLimit(100);
            assertThatThrownBy(files::turn).hasMessageContaining(file(1) + ": cannot be made longer");
            append(files, written, "b");
            disk.growthLimit(Long.MAX_VALUE);
            files.turn();
            append(files, written, "c");
        }

        assertThat(readAgain(false)).isEqualTo(written);
    }

    @Test
    void shouldNotTurnWhenASyncHasFailed() throws IOException {
        final List<String> written = new ArrayList<>();
        try (StoreFiles files = open(false)) {
            append(files, written, "a");
            files.turn();
            append(files, written, "b");
            disk.failSyncs(file(1), true);
            assertThatThrownBy(() -> files.newest().sync()).hasMessageContaining(file(1) + ": cannot be synced");
            disk.failSyncs(file(1), false);

            final byte[] older = Files.readAllBytes(file(0));
            assertThatThrownBy(files::turn)
                    .isInstanceOf(PenstockException.class)
                    .hasMessage(file(1) + ": has failed before (close it and open it again)");
            assertThat(Files.readAllBytes(file(0))).isEqualTo(older);
        }

        assertThat(readAgain(false)).isEqualTo(written);
    }

    @Test
    void shouldTakeNothingMoreWhenAFileThatWasBegunIsNotSynced() {
        final List<String> written = new ArrayList<>();
        try (StoreFiles files = open(false)) {
            append(files, written, "a");
            disk.failSyncs(file(1), true);
            assertThatThrownBy(files::turn).hasMessageContaining(file(1) + ": cannot be synced");
            disk.failSyncs(file(1), false);

            assertThatThrownBy(() -> append(files, new ArrayList<>(), "b"))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("has failed before");
            assertThatThrownBy(files::turn).hasMessageContaining("has failed before");
        }

        assertThat(readAgain(false)).isEqualTo(written);
    }

    /** Each file as it is, or as it was when it was synced last. */
    @Test
    void shouldOpenWithAllRecordsWhereverATurnEnded() {
        final List<String> written = new ArrayList<>();
        try (StoreFiles files = open(false)) {
            append(files, written, "a");
            files.turn();
            append(files, written, "b");
            files.newest().sync();
            final int[] count = new int[1];
            disk.onChange(() -> count[0] += openImages(List.of("b")));
            files.turn();
            disk.onChange(() -> {});
            assertThat(count[0]).isGreaterThan(20);
        }
    }

    @Test
    void shouldOpenWhereverTheMakingOfAStoreEnded() {
        final int[] count = new int[1];
        disk.onChange(() -> count[0] += openImages(List.of()));
        open(false).close();
        assertThat(count[0]).isGreaterThan(20);
    }

    @Test
    void shouldSyncTheDirectoryOnceWhenItsFilesWereMade() {
        open(false).close();
        assertThat(disk.events()).containsOnlyOnce("sync " + directory.getFileName());
        assertThat(disk.events())
                .containsSubsequence(
                        "open store.0", "open store.1", "sync " + directory.getFileName(), "write store.1");
        disk.events().clear();

        open(false).close();
        assertThat(disk.events()).containsExactly("open store.0", "open store.1");
    }

    @Test
    void shouldSyncTheDirectoryLaterWhenThatHasFailed() {
        disk.failDirectorySyncs(true);
        assertThatThrownBy(() -> open(false))
                .isInstanceOf(PenstockException.class)
                .hasMessage(directory + ": cannot be synced: Input/output error (see that its disk is good)");
        disk.failDirectorySyncs(false);
        disk.events().clear();

        open(false).close();
        assertThat(disk.events()).containsOnlyOnce("sync " + directory.getFileName());
    }

    @Test
    void shouldSyncAndLogWhatIsClearedAtTheEnd() throws IOException {
        final List<String> written = new ArrayList<>();
        final long end;
        try (StoreFiles files = open(true)) {
            append(files, written, "a");
            end = files.newest().length();
            append(files, new ArrayList<>(), "b".repeat(2000));
        }
        final byte[] bytes = Files.readAllBytes(file(0));
        Arrays.fill(bytes, 512, 1024, (byte) 0);
        Files.write(file(0), bytes);
        disk.events().clear();

        try (StoreFiles files = open(true)) {
            assertThat(disk.events()).contains("write store.0");
            assertThat(disk.unsynced()).isEmpty();
            assertThat(logged)
                    .containsExactly(file(0) + ": what is no whole record at byte " + end + " is cleared, length 2040"
                            + " (it was being written when the program or the machine ended; else see that the disk is"
                            + " good)");
            append(files, written, "c");
        }
        logged.clear();

        assertThat(readAgain(true)).isEqualTo(written);
        assertThat(logged).isEmpty();
    }

    @Test
    void shouldSyncWhatIsClearedAfterAFailedWrite() {
        try (StoreFiles files = open(false)) {
            disk.growthLimit(ROOM);
            append(files, new ArrayList<>(), "a");
            files.newest().sync();
            disk.failWrites(1);
            assertThatThrownBy(() -> append(files, new ArrayList<>(), "b"))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining(file(0) + ": cannot be written to: ");
            assertThat(disk.unsynced()).isEmpty();
            append(files, new ArrayList<>(), "c");
        }

        assertThat(readAgain(false)).containsExactly("a", "c");
    }

    /** One that was brought back from an older backup, and one under both names. */
    @ParameterizedTest
    @CsvSource({"1, 0, 7, 5, 1", "1, 0, 5, 7, 0", "1, 0, 7, 7, 1", "2, 1, 7, 5, 1", "2, 1, 5, 7, 0", "2, 1, 7, 7, 1"})
    void shouldRefuseAFileThatIsNotWhatItWas(
            final int version, final int other, final long first, final long second, final int named)
            throws IOException {
        final byte[][] files = {head(version, other, first), head(version, other, second)};
        Files.write(file(0), files[0]);
        Files.write(file(1), files[1]);

        assertThatThrownBy(() -> open(false))
                .isInstanceOf(PenstockException.class)
                .hasMessageStartingWith(file(named) + ": is not what it was: ")
                .hasMessageEndingWith(")");
        for (int i = 0; i < 2; i++) {
            assertThat(Files.readAllBytes(file(i))).isEqualTo(files[i]);
        }
    }

    @Test
    void shouldNameAFileOnceWhenTheSystemRefuses() throws IOException {
        try (StoreFiles files = open(false)) {
            disk.growthLimit(ROOM);
            disk.growthFailure("File too large");
            assertThatThrownBy(() -> append(files, new ArrayList<>(), "x".repeat(ROOM)))
                    .hasMessage(file(0) + ": cannot be made longer: File too large (raise the limit of this program's"
                            + " file sizes, ulimit -f, or the file system's)");
            disk.growthFailure("Input/output error");
            assertThatThrownBy(() -> append(files, new ArrayList<>(), "x".repeat(ROOM)))
                    .hasMessage(file(0) + ": cannot be made longer: Input/output error (see that it is a file, and its"
                            + " disk is good)");
        }
        Files.delete(file(1));
        Files.createDirectory(file(1));
        assertThatThrownBy(() -> open(false)).hasMessage(file(1) + ": cannot be opened: Is a directory (move it away)");
    }

    @Test
    void shouldSayThatADirectoryIsNotThere() {
        final Path path = directory.resolve("none").resolve("store");
        assertThatThrownBy(() -> open(path, false))
                .hasMessage(path + ".0: cannot be opened: its directory is not there (make it)");
    }

    /** Opens the files as each of them may be after a kill or a loss of power now. Returns in how many ways. */
    private int openImages(final List<String> expected) {
        final Path images = directory.resolve("images");
        try {
            Files.createDirectories(images);
            for (int way = 0; way < 4; way++) {
                for (int i = 0; i < 2; i++) {
                    final boolean isAsSynced = (way >> i & 1) == 1;
                    Files.write(
                            images.resolve("store." + i),
                            isAsSynced ? disk.synced(file(i)) : Files.readAllBytes(file(i)));
                }
                final List<String> present = new ArrayList<>();
                for (int time = 0; time < 2; time++) {
                    present.clear();
                    StoreFiles.open(
                                    images.resolve("store"),
                                    MAGIC,
                                    false,
                                    StoreDisk.SYSTEM,
                                    (type, sequence, released, text, offset, length) -> {
                                        present.add(text.getStringWithoutLengthUtf8(offset, length));
                                        return null;
                                    })
                            .close();
                    assertThat(present).as("way %d, %s", way, disk.events()).endsWith(expected.toArray(String[]::new));
                }
            }
            return 4;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] head(final int version, final int other, final long generation) {
        final int id = version == 1 ? 0 : 9;
        final ByteBuffer head =
                ByteBuffer.allocate(version == 1 ? StoreFileHead.LENGTH : ROOM).order(ByteOrder.LITTLE_ENDIAN);
        head.putLong(MAGIC).putInt(version).putInt(id * 16 + other).putLong(generation);
        final CRC32C crc = new CRC32C();
        crc.update(head.array(), 0, head.position());
        head.putInt((int) crc.getValue()).putInt(~(int) crc.getValue());
        return head.array();
    }

    private StoreFiles open(final boolean isSynced) {
        return open(directory.resolve("store"), isSynced);
    }

    private StoreFiles open(final Path path, final boolean isSynced) {
        return StoreFiles.open(path, MAGIC, isSynced, disk, (type, sequence, released, text, offset, length) -> {
            found.add(text.getStringWithoutLengthUtf8(offset, length));
            return null;
        });
    }

    private List<String> readAgain(final boolean isSynced) {
        found.clear();
        open(isSynced).close();
        return found;
    }

    private Path file(final int index) {
        return directory.resolve("store." + index);
    }

    private static void append(final StoreFiles files, final List<String> written, final String text) {
        final UnsafeBuffer bytes = new UnsafeBuffer(text.getBytes(UTF_8));
        files.append(1, written.size(), 0, bytes, 0, bytes.capacity());
        written.add(text);
    }
}
