package io.penstock.broker.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.storage.DiskStorage;
import io.penstock.broker.storage.Storage;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files of a journal, written, damaged and read. */
@Timeout(120)
class JournalFilesTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_122L);
    /** The second JDK of a build does fewer than the first. */
    private static final int SEED_COUNT =
            Integer.getInteger("penstock.seeds", Boolean.getBoolean("penstock.second") ? 15 : 40);

    @TempDir
    Path directory;

    @Test
    void shouldReadWhatWasWrittenOverRunsAndFiles() throws IOException {
        final Random random = new Random(SEED);
        long count = 0;
        for (int run = 0; run < SEED_COUNT; run++) {
            try (SmallJournal journal = new SmallJournal(directory)) {
                assertThat(journal.recovered).isEqualTo(sequences(count));
                assertThat(journal.writer.epoch()).isEqualTo(run + 1);
                for (int i = random.nextInt(40); i > 0; i--) {
                    // Now and then one that is longer than the half of a file.
                    journal.append(random.nextInt(8) == 0 ? random.nextInt(40_000) : random.nextInt(200));
                    count++;
                    if (random.nextInt(5) == 0) {
                        journal.commit();
                    }
                }
            }
        }
        assertThat(names().size()).isGreaterThan(3);
    }

    @Test
    void shouldFindEverySequenceWithTheIndexAndWithoutIt() throws IOException {
        try (SmallJournal journal = new SmallJournal(directory)) {
            for (int i = 0; i < 300; i++) {
                journal.append(1_000);
            }
            journal.commit();
            try (JournalReader reader = new JournalReader(journal.files, 4096)) {
                for (long sequence = 300; sequence >= 1; sequence -= 7) {
                    reader.seek(sequence);
                    assertThat(reader.next(300)).isTrue();
                    assertThat(SmallJournal.check(reader.buffer(), reader.offset(), reader.length()))
                            .isEqualTo(sequence);
                }
                reader.seek(301);
                assertThat(reader.next(300)).isFalse();
            }
        }
    }

    @Test
    void shouldReadOnWhileTheFileIsWritten() throws IOException {
        final Random random = new Random(SEED);
        try (SmallJournal journal = new SmallJournal(directory)) {
            journal.append(10);
            journal.commit();
            try (JournalReader reader = new JournalReader(journal.files, 4096)) {
                reader.seek(1);
                final List<Long> read = new ArrayList<>();
                for (int i = 0; i < 500; i++) {
                    for (int j = random.nextInt(4); j > 0; j--) {
                        journal.append(random.nextInt(3_000));
                    }
                    journal.commit();
                    while (reader.next(journal.writer.writtenSequence())) {
                        read.add(SmallJournal.check(reader.buffer(), reader.offset(), reader.length()));
                    }
                }
                assertThat(read).isEqualTo(sequences(journal.writer.writtenSequence()));
            }
        }
    }

    /** Whatever bit of what was written changes: it is named, or it is one that says nothing. */
    @Test
    void shouldNameEveryFlippedBit() throws IOException {
        final byte[] good = smallLog();
        final Path file = directory.resolve(names().get(0));
        final int end = endOf(good);
        final int commit = end - RecordDescriptor.HEADER_LENGTH;
        for (int bit = 0; bit < 8 * end; bit++) {
            final int at = bit / 8;
            final boolean unused = at < JournalHead.BLOCK_LENGTH && at % 512 >= 52;
            if (unused && at % 64 != 0) {
                continue;
            }
            final byte[] bad = good.clone();
            bad[at] ^= (byte) (1 << (bit % 8));
            Files.write(file, bad);
            final Scan scan = scan();
            if (scan.problem == null) {
                // The older mark, what is not used of the head, the padding after a record, and a commit after the
                // last
                // record say nothing.
                assertThat(at < JournalHead.BLOCK_LENGTH ? at >= 52 : isPadding(good, at) || at >= commit)
                        .as("bit %d of byte %d matters", bit % 8, at)
                        .isTrue();
                assertThat(scan.sequences).isEqualTo(sequences(5));
            } else {
                assertThat(scan.problem).contains(file.toString());
            }
        }
    }

    /** A broker that was killed has not marked what it had synced last; its commits say so as well. */
    @Test
    void shouldNameDamageBeforeACommitThatWasWrittenAfterTheLastMark() throws IOException {
        final byte[] killed;
        final Path file;
        try (SmallJournal journal = new SmallJournal(directory)) {
            for (int i = 0; i < 4; i++) {
                journal.append(50);
                journal.commit();
            }
            file = directory.resolve(names().get(0));
            killed = Files.readAllBytes(file);
        }
        final UnsafeBuffer log = new UnsafeBuffer(killed);
        int at = JournalHead.BLOCK_LENGTH;
        for (int record = 1; record <= 4; record++) {
            while (RecordDescriptor.type(log, at) == RecordDescriptor.TYPE_COMMIT) {
                at += RecordDescriptor.HEADER_LENGTH;
            }
            final byte[] bad = killed.clone();
            bad[at + RecordDescriptor.HEADER_LENGTH] ^= 1;
            Files.write(file, bad);
            assertThat(scan().problem).as("record %d", record).contains("record " + record + " ");
            at += RecordDescriptor.alignedLength(RecordDescriptor.length(log, at));
        }
    }

    /** What was never synced may be lost with the power: then the log ends before it, and that is no damage. */
    @Test
    void shouldSayOfNothingThatItIsOnStableStorageWithoutSyncs() throws IOException {
        try (SmallJournal journal = new SmallJournal(directory, false)) {
            for (int i = 0; i < 4; i++) {
                journal.append(50);
                journal.commit();
            }
        }
        final Path file = directory.resolve(names().get(0));
        final byte[] log = Files.readAllBytes(file);
        // Of the third record on nothing has come to the disk.
        final int group =
                RecordDescriptor.alignedLength(RecordDescriptor.HEADER_LENGTH + 50) + RecordDescriptor.HEADER_LENGTH;
        final int third = JournalHead.BLOCK_LENGTH + 2 * group;
        Arrays.fill(log, third, log.length, (byte) 0);
        Files.write(file, log);

        assertThat(scan().problem).isNull();
        assertThat(scan().sequences).isEqualTo(sequences(2));
    }

    /** A file that was closed in order and is shorter now has lost records: that is said, never passed over. */
    @Test
    void shouldNameEveryTruncation() throws IOException {
        final byte[] good = smallLog();
        final Path file = directory.resolve(names().get(0));
        final int end = endOf(good);
        for (int length = 0; length < good.length; length += length < end ? 1 : 97) {
            Files.write(file, Arrays.copyOf(good, length));
            assertThat(scan().problem).as("cut to %d", length).contains(file.toString());
        }
        Files.write(file, good);
        assertThat(scan().problem).isNull();
        assertThat(scan().sequences).isEqualTo(sequences(5));
    }

    /** A run that was killed: whatever is missing at the end of the file, what was synced before is there. */
    @Test
    void shouldKeepWhatWasSyncedWhateverTheTailIs() throws IOException {
        final byte[] synced;
        final byte[] all;
        final Path file;
        try (SmallJournal journal = new SmallJournal(directory)) {
            for (int i = 0; i < 3; i++) {
                journal.append(50);
            }
            journal.commit();
            file = directory.resolve(names().get(0));
            synced = Files.readAllBytes(file);
            for (int i = 0; i < 3; i++) {
                journal.append(50);
            }
            journal.writer.write();
            all = Files.readAllBytes(file);
        }
        final int from = endOf(synced);
        for (int torn = from; torn < endOf(all); torn++) {
            // Up to here the new bytes have come to the disk, and after it the old ones are still there.
            final byte[] mixed = synced.clone();
            System.arraycopy(all, 0, mixed, 0, torn);
            Files.write(file, mixed);
            final Scan scan = scan();
            assertThat(scan.problem).isNull();
            assertThat(scan.sequences.size()).isBetween(3, 6);
            assertThat(scan.sequences).isEqualTo(sequences(scan.sequences.size()));
        }
    }

    /** What a lost write of an earlier run has left after the end has the right sequence, and still is no record. */
    @Test
    void shouldNotTakeRecordsOfAnEarlierRunForItsOwn() throws IOException {
        final Path file;
        final byte[] all;
        final byte[] synced;
        try (SmallJournal journal = new SmallJournal(directory)) {
            journal.append(8);
            journal.commit();
            file = directory.resolve(names().get(0));
            synced = Files.readAllBytes(file);
            journal.append(1_000);
            journal.append(8);
            journal.writer.write();
            all = Files.readAllBytes(file);
        }
        // Of the second and third record only the sector with the third has come to the disk.
        final byte[] torn = all.clone();
        System.arraycopy(synced, 0, torn, 0, JournalHead.BLOCK_LENGTH + 1_024);
        Files.write(file, torn);
        for (int run = 0; run < 3; run++) {
            try (SmallJournal journal = new SmallJournal(directory)) {
                assertThat(journal.recovered).isEqualTo(sequences(1 + run));
                journal.append(8);
                journal.commit();
            }
        }
    }

    /** The keeper makes the next file as soon as one is taken, whatever the journaler does with that just then. */
    @Test
    void shouldMakeTheNextSpareWhileTheOneBeforeStillHasItsName() throws IOException {
        final Storage storage = DiskStorage.open(directory.toString());
        final JournalSpares spares = new JournalSpares(storage, SmallJournal.FILE_LENGTH, true, () -> {});
        spares.prepare();
        final JournalSpares.Spare first = spares.take();
        assertThat(spares.prepare()).isTrue();
        final JournalSpares.Spare second = spares.take();
        assertThat(first).isNotNull();
        assertThat(second).isNotNull();
        storage.rename(first.name(), "first");
        storage.rename(second.name(), "second");
        first.file().close();
        second.file().close();

        assertThat(storage.list()).containsExactly("first", "second");
    }

    @Test
    void shouldRefuseALogWithAFileMissing() throws IOException {
        try (SmallJournal journal = new SmallJournal(directory)) {
            for (int i = 0; i < 200; i++) {
                journal.append(1_000);
            }
        }
        final List<String> names = names();
        assertThat(names.size()).isGreaterThan(3);
        Files.delete(directory.resolve(names.get(1)));

        assertThatThrownBy(() -> new SmallJournal(directory))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining(names.get(1));
    }

    private static boolean isPadding(final byte[] log, final int at) {
        final UnsafeBuffer buffer = new UnsafeBuffer(log);
        int record = JournalHead.BLOCK_LENGTH;
        while (true) {
            final int next = record + RecordDescriptor.alignedLength(RecordDescriptor.length(buffer, record));
            if (at < next) {
                return at >= record + RecordDescriptor.length(buffer, record);
            }
            record = next;
        }
    }

    private byte[] smallLog() throws IOException {
        try (SmallJournal journal = new SmallJournal(directory)) {
            for (int i = 0; i < 5; i++) {
                journal.append(20 + i);
                if (i == 2) {
                    journal.commit();
                }
            }
        }
        return Files.readAllBytes(directory.resolve(names().get(0)));
    }

    private Scan scan() throws IOException {
        final Scan scan = new Scan();
        try {
            JournalRecovery.recover(
                    0,
                    DiskStorage.open(directory.toString()),
                    (buffer, offset, length) -> scan.sequences.add(SmallJournal.check(buffer, offset, length)));
        } catch (final JournalCorruptException e) {
            scan.problem = e.getMessage();
        }
        return scan;
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Long> sequences(final long count) {
        return LongStream.rangeClosed(1, count).boxed().toList();
    }

    private static int endOf(final byte[] bytes) {
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        return (end + 7) & -8;
    }

    private static final class Scan {
        private final List<Long> sequences = new ArrayList<>();
        private @Nullable String problem;
    }
}
