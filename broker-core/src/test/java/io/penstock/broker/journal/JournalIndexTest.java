package io.penstock.broker.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.storage.DiskStorage;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Indexes of journal files on the disk, and what is found with them. */
@Timeout(120)
class JournalIndexTest {
    private static final int COUNT = 400;

    /** Record n has the time 10 n, see {@link SmallJournal}. */
    private static final int TIME_STEP = 10;

    @TempDir
    Path directory;

    @BeforeEach
    void write() throws IOException {
        try (SmallJournal journal = new SmallJournal(directory)) {
            for (int i = 0; i < COUNT; i++) {
                journal.append(1_000);
            }
            journal.commit();
            storeAll(journal.files);
        }
    }

    @Test
    void shouldFindTheFirstRecordAtOrAfterATime() throws IOException {
        final JournalFiles files = files();
        try (JournalReader reader = new JournalReader(files, 4096)) {
            for (long time = -5; time <= COUNT * TIME_STEP; time += 3) {
                reader.seekTime(time, COUNT);
                assertThat(reader.next(COUNT)).isTrue();
                assertThat(RecordDescriptor.sequence(reader.buffer(), reader.offset()))
                        .as("at %d", time)
                        .isEqualTo(Math.max(1, (time + TIME_STEP - 1) / TIME_STEP));
            }
            reader.seekTime(COUNT * TIME_STEP + 1, COUNT);
            assertThat(reader.next(COUNT)).isFalse();
        }
    }

    @Test
    void shouldReadTheIndexOfTheFileThatIsSoughtAndOfNoOther() throws IOException {
        final JournalFiles files = files();
        final JournalFile[] all = files.snapshot();
        assertThat(all.length).isGreaterThan(4);
        try (JournalReader reader = new JournalReader(files, 4096)) {
            reader.seek(all[2].firstSequence() + 5);
        }
        for (int i = 0; i < all.length; i++) {
            assertThat(all[i].isIndexed()).as("file %d", i).isEqualTo(i == 2);
        }
        assertThat(all[2].index().entries()).isNotEmpty();
    }

    @Test
    void shouldReadFewIndexesOnceWhenATimeIsSought() throws IOException {
        final JournalFiles files = files();
        final JournalFile[] all = files.snapshot();
        final long sequence = files.sequenceBefore(COUNT * TIME_STEP / 2);
        assertThat(sequence).isBetween(COUNT / 2L - 70, COUNT / 2L);
        final long read = Arrays.stream(all).filter(JournalFile::isIndexed).count();
        assertThat(read)
                .isLessThan(all.length)
                .isLessThanOrEqualTo(Integer.SIZE - Integer.numberOfLeadingZeros(all.length));
        for (final JournalFile file : all) {
            Files.deleteIfExists(directory.resolve(file.indexName()));
        }
        assertThat(files.sequenceBefore(COUNT * TIME_STEP / 2))
                .as("from memory")
                .isEqualTo(sequence);
        assertThat(Arrays.stream(all).filter(JournalFile::isIndexed).count()).isEqualTo(read);
    }

    @Test
    void shouldNameEveryFlippedBitAndTruncationOfAnIndex() throws IOException {
        final JournalFile file = files().snapshot()[0];
        final Path path = directory.resolve(file.indexName());
        final byte[] good = Files.readAllBytes(path);
        for (int bit = 0; bit < 8 * good.length; bit++) {
            final byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << (bit % 8));
            Files.write(path, bad);
            assertThatThrownBy(() -> read(file)).hasMessageContaining(path.toString());
        }
        for (int length = 0; length < good.length; length++) {
            Files.write(path, Arrays.copyOf(good, length));
            assertThatThrownBy(() -> read(file)).hasMessageContaining(path.toString());
        }
    }

    @Test
    void shouldMakeADamagedIndexAgainWhenItIsMet() throws IOException {
        final JournalFiles files = files();
        final JournalFile file = files.snapshot()[1];
        final Path path = directory.resolve(file.indexName());
        final byte[] good = Files.readAllBytes(path);
        final byte[] bad = good.clone();
        bad[40] ^= 1;
        Files.write(path, bad);
        final JournalIndexes indexes = new JournalIndexes(files);
        assertThat(indexes.store()).isEqualTo(JournalIndexes.Result.NOTHING);
        try (JournalReader reader = new JournalReader(files, 4096)) {
            // Without the index it takes longer.
            reader.seek(file.firstSequence() + 7);
            assertThat(reader.nextSequence()).isEqualTo(file.firstSequence() + 7);
        }
        assertThat(indexes.store()).isEqualTo(JournalIndexes.Result.REBUILT);
        assertThat(Files.readAllBytes(path)).isEqualTo(good);
        assertThat(indexes.store()).isEqualTo(JournalIndexes.Result.NOTHING);
    }

    @Test
    void shouldReadAFileToItsEndThatWasLetGoAndThenSayThatTheNextIsGone() throws IOException {
        try (SmallJournal journal = new SmallJournal(directory)) {
            final JournalSettings settings = new JournalSettings(
                    SmallJournal.FILE_LENGTH,
                    SmallJournal.FILE_LENGTH,
                    true,
                    new JournalSettings.Sync(SyncPolicy.ALWAYS, 0, 0),
                    new JournalSettings.Retention(1, 0),
                    new JournalSettings.Snapshots(0, 0, false),
                    1,
                    false);
            final JournalRetention retention =
                    new JournalRetention(settings, journal.files, KnownFiles.NONE, journal.spares, null);
            final long second = journal.files.snapshot()[1].firstSequence();
            final long third = journal.files.snapshot()[2].firstSequence();
            try (JournalReader reader = new JournalReader(journal.files, 4096)) {
                reader.seek(1);
                assertThat(retention.release(0, second - 1)).as("is needed").isFalse();
                assertThat(retention.release(0, third)).isTrue();
                assertThat(retention.release(0, third)).isTrue();
                assertThat(retention.release(0, third)).as("is needed").isFalse();
                for (long sequence = 1; sequence < second; sequence++) {
                    assertThat(reader.next(COUNT)).isTrue();
                    assertThat(SmallJournal.check(reader.buffer(), reader.offset(), reader.length()))
                            .isEqualTo(sequence);
                }
                assertThatThrownBy(() -> reader.next(COUNT)).hasMessageContaining("not in the log any more");
                assertThatThrownBy(() -> reader.seek(second))
                        .hasMessageContaining("not in the log any more")
                        .hasMessageContaining("begins at " + third);
            }
            retention.free();
        }
    }

    private static void storeAll(final JournalFiles files) throws IOException {
        final JournalIndexes indexes = new JournalIndexes(files);
        while (indexes.store() != JournalIndexes.Result.NOTHING) {
            assertThat(files.count()).isPositive();
        }
    }

    private JournalFiles files() throws IOException {
        return JournalFiles.find(0, 0, DiskStorage.open(directory.toString()));
    }

    private void read(final JournalFile file) throws IOException {
        IndexFile.read(DiskStorage.open(directory.toString()), 0, file);
    }
}
