package io.penstock.broker.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.storage.DiskStorage;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes after the last good record: a write that a crash has cut, or damage of an acknowledged record. */
@Timeout(120)
class LogTailTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_124L);
    private static final int CUT_COUNT =
            Integer.getInteger("penstock.seeds", Boolean.getBoolean("penstock.second") ? 100 : 300);
    private static final int SECTOR_LENGTH = 512;
    private static final int LONG_FILE_LENGTH = 4 * 1024 * 1024;

    @TempDir
    Path directory;

    /** The broker is killed right after it has acknowledged: nothing was written since. */
    @Test
    void shouldNameEveryChangedByteOfTheLastGroup() throws IOException {
        final byte[] killed;
        final int from;
        try (SmallJournal journal = new SmallJournal(directory)) {
            journal.append(100);
            journal.commit();
            from = endOf(Files.readAllBytes(file()));
            for (int i = 0; i < 10; i++) {
                journal.append(150);
            }
            journal.commit();
            killed = Files.readAllBytes(file());
        }
        final int end = endOf(killed);
        int namedCount = 0;
        for (int at = from; at < end; at++) {
            final byte[] bad = killed.clone();
            bad[at] ^= (byte) (1 << (at % 8));
            final Scan scan = scan(bad);
            if (scan.problem == null) {
                // Padding, or what ends the group.
                assertThat(scan.sequences).as("byte %d", at).isEqualTo(sequences(11));
            } else {
                assertThat(scan.problem).contains(file().toString());
                namedCount++;
            }
        }
        assertThat(namedCount).isGreaterThan(10 * 190);
    }

    @Test
    void shouldSayHowManyRecordsCannotBeRead() throws IOException {
        final byte[] killed;
        try (SmallJournal journal = new SmallJournal(directory)) {
            for (int i = 0; i < 200; i++) {
                journal.append(50);
            }
            journal.commit();
            killed = Files.readAllBytes(file());
        }
        killed[JournalHead.BLOCK_LENGTH + 60] ^= 1;

        assertThat(scan(killed).problem).contains("records 1 to 200 were written and may have been acknowledged");
    }

    /** Zeros that were published are no sectors that have not come. */
    @Test
    void shouldNameAChangedByteBesideSectorsOfZeros() throws IOException {
        final byte[] killed;
        try (SmallJournal journal = new SmallJournal(directory)) {
            journal.appendZeros(5_000);
            journal.append(10);
            journal.commit();
            killed = Files.readAllBytes(file());
        }
        killed[JournalHead.BLOCK_LENGTH + 48] ^= 1;

        assertThat(scan(killed).problem).contains("record 1 ", "records 1 to 2 ");
    }

    /** The whole sector with the record and with what ends its group is something else now. */
    @Test
    void shouldNameASectorThatIsSomethingElse() throws IOException {
        final byte[] killed;
        try (SmallJournal journal = new SmallJournal(directory)) {
            journal.append(100);
            journal.commit();
            killed = Files.readAllBytes(file());
        }
        for (int i = 0; i < SECTOR_LENGTH; i++) {
            killed[JournalHead.BLOCK_LENGTH + i] = (byte) (i % 100 + 1);
        }

        assertThat(scan(killed).problem).contains("record 1 ");
    }

    /** Of the group that was being written any of its sectors have come: that is no damage, and nothing was acknowledged. */
    @ParameterizedTest
    @ValueSource(ints = {SmallJournal.FILE_LENGTH, LONG_FILE_LENGTH})
    void shouldTakeAnySectorsThatHaveNotComeForACrash(final int fileLength) throws IOException {
        final Random random = new Random(SEED);
        final int cutCount = fileLength == LONG_FILE_LENGTH ? CUT_COUNT / 10 : CUT_COUNT;
        int kept = 0;
        for (int cut = 0; cut < cutCount; cut++) {
            final byte[] synced;
            final byte[] all;
            final Path last;
            try (SmallJournal journal = new SmallJournal(directory, true, fileLength)) {
                assertThat(journal.recovered).as("cut %d", cut).isEqualTo(sequences(journal.recovered.size()));
                assertThat(journal.recovered.size()).isGreaterThanOrEqualTo(kept);
                kept = journal.recovered.size();
                for (int i = random.nextInt(5); i > 0; i--) {
                    journal.append(random.nextInt(1_000));
                    kept++;
                }
                journal.commit();
                last = file();
                synced = Files.readAllBytes(last);
                appendGroup(journal, random, fileLength);
                journal.writer.write();
                all = Files.readAllBytes(last);
            }
            if (file().equals(last)) {
                crash(random, last, synced, all);
            }
        }
    }

    private void appendGroup(final SmallJournal journal, final Random random, final int fileLength) throws IOException {
        final int count = 1 + random.nextInt(20);
        for (int i = 0; i < count; i++) {
            final int length = random.nextInt(fileLength / 32);
            if (random.nextInt(4) == 0) {
                journal.appendZeros(length);
            } else {
                journal.append(length);
            }
        }
    }

    private static void crash(final Random random, final Path last, final byte[] synced, final byte[] all)
            throws IOException {
        final int seldom = 1 + random.nextInt(20);
        final boolean mostCome = random.nextBoolean();
        final byte[] left = synced.clone();
        for (int at = JournalHead.BLOCK_LENGTH; at < left.length; at += SECTOR_LENGTH) {
            if (random.nextInt(seldom) == 0 != mostCome) {
                System.arraycopy(all, at, left, at, SECTOR_LENGTH);
            }
        }
        Files.write(last, left);
    }

    private Scan scan(final byte[] content) throws IOException {
        Files.write(file(), content);
        final Scan scan = new Scan();
        try {
            JournalRecovery.recover(
                    0,
                    DiskStorage.open(directory.toString()),
                    (buffer, offset, length) -> scan.sequences.add(RecordDescriptor.sequence(buffer, offset)));
        } catch (final JournalCorruptException e) {
            scan.problem = e.getMessage();
        }
        return scan;
    }

    /** The newest file of the log. */
    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .max(Path::compareTo)
                    .orElseThrow();
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
