package io.penstock.broker.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.storage.DiskStorage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexCheckTest {
    private static final int COUNT = 400;

    @TempDir
    Path directory;

    private Path shard;
    private List<Path> indexes;
    private byte[] first;

    @BeforeEach
    void write() throws IOException {
        shard = directory.resolve("shard-0");
        try (SmallJournal journal = new SmallJournal(shard)) {
            for (int i = 0; i < COUNT; i++) {
                journal.append(1_000);
            }
            journal.commit();
            final JournalIndexes stored = new JournalIndexes(journal.files);
            while (stored.store() != JournalIndexes.Result.NOTHING) {
                assertThat(journal.files.count()).isPositive();
            }
        }
        indexes = files(".idx");
        first = Files.readAllBytes(indexes.get(0));
        assertThat(indexes).hasSize(files(".log").size() - 1).hasSizeGreaterThan(3);
    }

    @Test
    void shouldFindNothingWrongWhenTheBrokerHasWrittenThem() throws IOException {
        assertThat(check(false)).hasSameSizeAs(indexes).allMatch(finding -> finding.wrong() == null);
    }

    @Test
    void shouldNameWhatIsMissingDamagedDifferentOrOfNoFile() throws IOException {
        Files.delete(indexes.get(0));
        flip(indexes.get(1), 40);
        differ(indexes.get(2));
        Files.write(shard.resolve("0000000000000009999.idx"), first);

        final List<IndexFinding> found = check(false);

        assertThat(found).filteredOn(finding -> !finding.isRight()).hasSize(4);
        assertThat(found.get(0).wrong()).isEqualTo("missing");
        assertThat(found.get(1).wrong()).contains(indexes.get(1).toString()).contains("its checksum is wrong");
        assertThat(found.get(2).wrong()).startsWith("differs from its file: entry 1 is record ");
        assertThat(found.get(3).wrong()).isNull();
        assertThat(found.get(found.size() - 1).name()).isEqualTo("0000000000000009999.idx");
        assertThat(found.get(found.size() - 1).wrong()).isEqualTo("belongs to no file of the log");
        assertThat(indexes.get(0)).as("nothing is written").doesNotExist();
    }

    @Test
    void shouldRebuildThemOnDemand() throws IOException {
        final byte[] third = Files.readAllBytes(indexes.get(2));
        Files.delete(indexes.get(0));
        differ(indexes.get(2));
        Files.write(shard.resolve("index.tmp"), new byte[7]);
        Files.write(shard.resolve("0000000000000009999.idx"), first);

        assertThat(check(true))
                .allMatch(IndexFinding::isRight)
                .filteredOn(IndexFinding::isMade)
                .hasSize(3);

        assertThat(Files.readAllBytes(indexes.get(0))).isEqualTo(first);
        assertThat(Files.readAllBytes(indexes.get(2))).isEqualTo(third);
        assertThat(files(".idx")).isEqualTo(indexes);
        assertThat(files(".tmp")).isEmpty();
        assertThat(check(false)).allMatch(finding -> finding.wrong() == null);
    }

    @Test
    void shouldLeaveAnIndexAloneWhoseFileIsDamaged() throws IOException {
        final Path file = files(".log").get(1);
        flip(file, JournalHead.BLOCK_LENGTH + 60);
        Files.delete(indexes.get(1));

        final List<IndexFinding> found = check(true);

        assertThat(found).filteredOn(finding -> !finding.isRight()).hasSize(1);
        assertThat(found.get(1).wrong())
                .startsWith("cannot be checked: ")
                .contains(file.toString())
                .contains("its checksum is wrong");
        assertThat(indexes.get(1)).doesNotExist();
    }

    @Test
    void shouldRefuseTheDirectoryOfABrokerThatRuns() throws IOException {
        try (Closeable broker = DiskStorage.open(directory.toString()).lock()) {
            assertThat(broker).isNotNull();
            assertThatThrownBy(() -> JournalCatalog.open(directory.toString()).lock())
                    .hasMessageContaining("is in use by another broker");
        }
        JournalCatalog.open(directory.toString()).lock().close();
        assertThatThrownBy(() -> JournalCatalog.open(shard.toString()).lock())
                .hasMessageContaining("is the directory of one shard")
                .hasMessageContaining("(give the journal.directory)");
    }

    private List<IndexFinding> check(final boolean rebuilds) throws IOException {
        final List<IndexFinding> found = new ArrayList<>();
        new IndexCheck(JournalCatalog.open(directory.toString()).shards().get(0), rebuilds, found::add).run();
        return found;
    }

    private List<Path> files(final String suffix) throws IOException {
        try (var files = Files.list(shard)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    private static void flip(final Path file, final int at) throws IOException {
        final byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 1;
        Files.write(file, bytes);
    }

    /** Changes the place of the first entry, with a checksum that fits. */
    private static void differ(final Path index) throws IOException {
        final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(index)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(32 + 2 * Long.BYTES, bytes.getLong(32 + 2 * Long.BYTES) + 8)
                .putInt(28, 0);
        final CRC32C crc = new CRC32C();
        crc.update(bytes.array());
        Files.write(index, bytes.putInt(28, (int) crc.getValue()).array());
    }
}
