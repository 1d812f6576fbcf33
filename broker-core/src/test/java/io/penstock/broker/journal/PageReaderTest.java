package io.penstock.broker.journal;

import static io.penstock.protocol.RecordDescriptor.EPOCH_OFFSET;
import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.SEQUENCE_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TYPE_OFFSET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One case of reading pages each. Logs are without syncs, and so without commits, unless a test wants them. */
@Timeout(60)
class PageReaderTest {
    private static final int FILE_LENGTH = 1024 * 1024;
    private static final int HEAD_LENGTH = JournalHead.BLOCK_LENGTH;
    private static final int COMMIT_LENGTH = RecordDescriptor.HEADER_LENGTH;

    @TempDir
    Path directory;

    private final LogPage page = new LogPage(0);

    @AfterEach
    void free() {
        page.free();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 100, 4_000, 16_000, 17_000, 70_000})
    void shouldReadEveryRecordWhenTheySpanPagesAndFiles(final int payloadLength) throws IOException {
        final int count = 3 * FILE_LENGTH / RecordDescriptor.alignedLength(HEADER_LENGTH + payloadLength);
        try (SmallJournal journal = journal(count, payloadLength);
                PageReader reader = new PageReader(journal.files, 1)) {
            assertThat(journal.files.count()).isGreaterThan(2);
            assertThat(readAll(reader, count)).isEqualTo(sequences(1, count));
        }
    }

    @Test
    void shouldMakeThePageLongerWhenARecordIsLongerThanIt() throws IOException {
        try (SmallJournal journal = journal()) {
            journal.append(10);
            journal.append(LogPage.LENGTH - HEADER_LENGTH - JournalHead.BLOCK_LENGTH + 8);
            journal.append(2 * LogPage.LENGTH + 5);
            journal.append(10);
            journal.writer.write();
            try (PageReader reader = new PageReader(journal.files, 1)) {
                assertThat(readAll(reader, 4)).isEqualTo(sequences(1, 4));
                assertThat(page.bytes().capacity()).isGreaterThan(2 * LogPage.LENGTH);
                page.shrink();
                assertThat(page.bytes().capacity()).isEqualTo(LogPage.LENGTH);
            }
        }
    }

    @Test
    void shouldTurnCommitsIntoPaddingWhenTheyLieBetweenRecords() throws IOException {
        try (SmallJournal journal = new SmallJournal(directory, true, FILE_LENGTH)) {
            journal.append(0);
            journal.commit();
            journal.append(0);
            journal.writer.write();
            try (PageReader reader = new PageReader(journal.files, 1)) {
                reader.fill(page, 2);
                assertThat(reader.next()).isTrue();
                final int commit = reader.offset() + HEADER_LENGTH;
                assertThat(RecordDescriptor.type(reader.buffer(), commit)).isEqualTo(RecordDescriptor.TYPE_COMMIT);
                assertThat(reader.next()).isTrue();
                assertThat(reader.offset()).isEqualTo(commit + HEADER_LENGTH);
                assertThat(RecordDescriptor.type(reader.buffer(), commit)).isEqualTo(RecordDescriptor.TYPE_PADDING);
            }
        }
    }

    @Test
    void shouldFindTheSameRecordAgainWhenItGoesBack() throws IOException {
        try (SmallJournal journal = journal(3, 100);
                PageReader reader = new PageReader(journal.files, 1)) {
            reader.fill(page, 3);
            assertThat(reader.next()).isTrue();
            assertThat(reader.next()).isTrue();
            reader.back();
            assertThat(reader.nextSequence()).isEqualTo(2);
            assertThat(reader.next()).isTrue();
            assertThat(sequence(reader)).isEqualTo(2);
            reader.back();
            // Another page begins with what was not read of the one before.
            reader.fill(page, 3);
            assertThat(readPage(reader)).isEqualTo(sequences(2, 3));
        }
    }

    @Test
    void shouldReadNoFurtherThanWhatIsWritten() throws IOException {
        try (SmallJournal journal = journal(5, 100);
                PageReader reader = new PageReader(journal.files, 2)) {
            reader.fill(page, 3);
            assertThat(readPage(reader)).isEqualTo(sequences(2, 3));
            reader.fill(page, 5);
            assertThat(readPage(reader)).isEqualTo(sequences(4, 5));
        }
    }

    @Test
    void shouldSkipMessagesOfTheTopicOnlyWhenTheyAreCheckedAndFit() throws IOException {
        try (SmallJournal journal = new SmallJournal(directory, true, FILE_LENGTH)) {
            for (final int topic : new int[] {3, 3, 3, 3, 4, 3}) {
                journal.append(HEADER_LENGTH, topic);
            }
            journal.commit();
            journal.append(HEADER_LENGTH, 3);
            journal.writer.write();
            final int length = 2 * HEADER_LENGTH;
            try (PageReader reader = new PageReader(journal.files, 1)) {
                reader.fill(page, 7);
                assertThat(reader.skip(3, 1_000, 7))
                        .as("nothing is checked yet")
                        .isZero();
                assertThat(reader.next()).isTrue();
                assertThat(reader.skip(4, 1_000, 7)).as("another topic").isZero();
                assertThat(reader.skip(3, length - 1, 7)).as("no room").isZero();
                assertThat(reader.skip(3, 1_000, 1)).as("not so far").isZero();
                assertThat(reader.skip(3, 2 * length + 1, 7)).isEqualTo(2 * length);
                assertThat(reader.nextSequence()).isEqualTo(4);
                assertThat(reader.skip(3, 1_000, 7)).as("up to the other topic").isEqualTo(length);
                assertThat(reader.next()).isTrue();
                assertThat(sequence(reader)).isEqualTo(5);
                assertThat(reader.skip(3, 1_000, 7)).as("up to the commit").isEqualTo(length);
                assertThat(reader.skip(3, 1_000, 7)).isZero();
                assertThat(reader.next()).isTrue();
                assertThat(sequence(reader)).isEqualTo(7);
                assertThat(reader.next()).isFalse();
            }
        }
    }

    /** Where in the second of three records of 152 bytes something is changed, and what that is. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        payload         | 60  | its checksum is wrong
        last byte       | 147 | its checksum is wrong
        checksum        | 45  | its checksum is wrong
        type            | 4   | its checksum is wrong
        topic           | 24  | its checksum is wrong
        longer          | 1   | its length is
        sequence        | 8   | its sequence is
        sequence's end  | 15  | its sequence is
        """)
    void shouldNameTheRecordWhenItIsDamaged(final String what, final int at, final String wrong) throws IOException {
        try (SmallJournal journal = journal(3, 100)) {
            final Path file = file(journal);
            change(file, HEAD_LENGTH + 152 + at, at == 1 ? 0x7FFF : 0x100);
            try (PageReader reader = new PageReader(journal.files, 1)) {
                reader.fill(page, 3);
                assertThat(reader.next()).as(what).isTrue();
                assertThat(reader.skip(0, 1_000, 3)).as(what).isZero();
                assertThatThrownBy(reader::next)
                        .isInstanceOf(JournalCorruptException.class)
                        .hasMessageContaining(file.toString())
                        .hasMessageContaining("record 2 at byte " + (HEAD_LENGTH + 152) + ": " + wrong);
            }
        }
    }

    @Test
    void shouldReadOnWhenOnlyPaddingIsDamaged() throws IOException {
        try (SmallJournal journal = journal(3, 100);
                PageReader reader = new PageReader(journal.files, 1)) {
            change(file(journal), HEAD_LENGTH + 148, 0x100);
            assertThat(readAll(reader, 3)).isEqualTo(sequences(1, 3));
        }
    }

    @Test
    void shouldNameTheRecordWhenItsEpochIsLower() throws IOException {
        try (SmallJournal journal = journal(1, 100)) {
            assertThat(journal.writer.epoch()).isEqualTo(1);
        }
        try (SmallJournal journal = journal(2, 100)) {
            // A whole record, with a good checksum, of the run before.
            rewrite(file(journal), HEAD_LENGTH + 2 * 152 + COMMIT_LENGTH, EPOCH_OFFSET, 1);
            assertWrong(journal, 3, "its epoch is 1, after 2");
        }
    }

    @Test
    void shouldNameTheRecordWhenItsSequenceIsAnother() throws IOException {
        try (SmallJournal journal = journal(3, 100)) {
            rewrite(file(journal), HEAD_LENGTH + 152, SEQUENCE_OFFSET, 3);
            assertWrong(journal, 2, "its sequence is 3");
        }
    }

    @Test
    void shouldNameTheCommitWhenItSpeaksOfLaterRecords() throws IOException {
        try (SmallJournal journal = journal(3, 100)) {
            rewrite(file(journal), HEAD_LENGTH + 152, TYPE_OFFSET, RecordDescriptor.TYPE_COMMIT);
            assertWrong(journal, 2, "its sequence is 2");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 47, 48, 100, 147})
    void shouldNameTheRecordWhenTheFileIsCutOffInIt(final int left) throws IOException {
        try (SmallJournal journal = journal(3, 100)) {
            try (RandomAccessFile cut = new RandomAccessFile(file(journal).toFile(), "rw")) {
                cut.setLength(HEAD_LENGTH + 2 * 152 + left);
            }
            assertWrong(journal, 3, "the file ends");
        }
    }

    @Test
    void shouldNameTheRecordWhenZerosFollow() throws IOException {
        try (SmallJournal journal = journal(3, 100);
                PageReader reader = new PageReader(journal.files, 1)) {
            reader.fill(page, 4);
            assertThatThrownBy(() -> readPage(reader))
                    .isInstanceOf(JournalCorruptException.class)
                    .hasMessageContaining(
                            "record 4 at byte " + (HEAD_LENGTH + 3 * 152 + COMMIT_LENGTH) + ": its length is 0");
        }
    }

    @Test
    void shouldNotTakeWhatAnEarlierUseOfTheFileLeftBehindTheEnd() throws IOException {
        final byte[] old;
        try (SmallJournal journal = journal(20, 100)) {
            old = Files.readAllBytes(file(journal));
        }
        final Path again = Files.createDirectory(directory.resolve("again"));
        try (SmallJournal journal = new SmallJournal(again, false, FILE_LENGTH)) {
            for (int i = 0; i < 10; i++) {
                journal.append(100);
            }
            journal.writer.write();
            final Path file = file(journal);
            // Whole records with good checksums, and the sequences that come next; of the same epoch, even.
            try (RandomAccessFile behind = new RandomAccessFile(file.toFile(), "rw")) {
                behind.seek(HEAD_LENGTH + 10 * 152);
                behind.write(old, HEAD_LENGTH + 10 * 152, 10 * 152);
            }
            try (PageReader reader = new PageReader(journal.files, 1)) {
                assertThat(readAll(reader, 10)).isEqualTo(sequences(1, 10));
                assertThat(reader.next()).isFalse();
            }
        }
    }

    @Test
    void shouldSayThatARecordIsGoneWhenItsFileIs() throws IOException {
        final int count = 3 * FILE_LENGTH / 1_000;
        try (SmallJournal journal = journal(count, 1_000 - HEADER_LENGTH)) {
            journal.files.removeFirst();
            final long first = journal.files.firstSequence();
            try (PageReader reader = new PageReader(journal.files, first - 1)) {
                assertThatThrownBy(() -> reader.fill(page, count))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("record " + (first - 1)
                                + " of shard 0 is not in the log any more: it begins at " + first);
            }
            try (PageReader reader = new PageReader(journal.files, first + 7)) {
                assertThat(readAll(reader, count)).isEqualTo(sequences(first + 7, count));
            }
        }
    }

    @Test
    void shouldRefuseAFileWhoseHeadIsDamaged() throws IOException {
        try (SmallJournal journal = journal(3, 100);
                PageReader reader = new PageReader(journal.files, 1)) {
            change(file(journal), 20, 0x100);
            assertThatThrownBy(() -> reader.fill(page, 3))
                    .isInstanceOf(JournalCorruptException.class)
                    .hasMessageContaining("the head's checksum is wrong");
        }
    }

    private void assertWrong(final SmallJournal journal, final long sequence, final String wrong) throws IOException {
        try (PageReader reader = new PageReader(journal.files, 1)) {
            final List<Long> read = new ArrayList<>();
            assertThatThrownBy(() -> {
                        for (int fill = 0; fill < 10; fill++) {
                            reader.fill(page, 100);
                            while (reader.next()) {
                                read.add(sequence(reader));
                            }
                        }
                    })
                    .isInstanceOf(JournalCorruptException.class)
                    .hasMessageContaining("record " + sequence + " at byte ")
                    .hasMessageContaining(": " + wrong);
            assertThat(read).isEqualTo(sequences(1, sequence - 1));
        }
    }

    private List<Long> readAll(final PageReader reader, final long last) throws IOException {
        final List<Long> read = new ArrayList<>();
        for (int fill = 0; reader.nextSequence() <= last; fill++) {
            assertThat(fill).as("fills").isLessThan(1_000);
            reader.fill(page, last);
            read.addAll(readPage(reader));
        }
        return read;
    }

    private static List<Long> readPage(final PageReader reader) throws IOException {
        final List<Long> read = new ArrayList<>();
        while (reader.next()) {
            read.add(sequence(reader));
        }
        return read;
    }

    /** Checks the record's bytes, too. */
    private static long sequence(final PageReader reader) {
        return SmallJournal.check(reader.buffer(), reader.offset(), reader.length());
    }

    private SmallJournal journal(final int count, final int payloadLength) throws IOException {
        final SmallJournal journal = journal();
        for (int i = 0; i < count; i++) {
            journal.append(payloadLength);
        }
        journal.writer.write();
        return journal;
    }

    private SmallJournal journal() throws IOException {
        return new SmallJournal(directory, false, FILE_LENGTH);
    }

    private static Path file(final SmallJournal journal) {
        final JournalFile last = journal.files.last();
        assertThat(last).isNotNull();
        return Path.of(journal.storage.path(last.name()));
    }

    /** Changes the byte at a position by xor; 0x100 stands for its lowest bit, others for the bytes of a number. */
    private static void change(final Path file, final long position, final int mask) throws IOException {
        try (RandomAccessFile changed = new RandomAccessFile(file.toFile(), "rw")) {
            for (int i = 0; i < 2; i++) {
                final int bits = mask == 0x100 ? 1 - i : (mask >> (i * 8)) & 0xFF;
                changed.seek(position + i);
                final int present = changed.read();
                changed.seek(position + i);
                changed.write(present ^ bits);
            }
        }
    }

    /** Changes a field of a record, and its checksum with it. */
    private static void rewrite(final Path file, final long position, final int field, final long value)
            throws IOException {
        try (RandomAccessFile changed = new RandomAccessFile(file.toFile(), "rw")) {
            changed.seek(position);
            final NaiveRecords.WholeRecord record = new NaiveRecords.WholeRecord(changed);
            record.put(field, value);
            changed.seek(position);
            changed.write(record.bytes());
        }
    }

    private static List<Long> sequences(final long from, final long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }
}
