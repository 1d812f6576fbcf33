package io.penstock.broker.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Pages of logs that are written, damaged and read at random, against a plain reader of whole files: the same records, the
 * same end. Prints the seed when it fails; {@code -Dpenstock.seeds=N} for a longer form, {@code JAZZER_FUZZ=1} fuzzes.
 */
@Timeout(300)
class PageReaderModelTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_122L);
    /** The second JDK of a build does fewer than the first. */
    private static final int SEED_COUNT =
            Integer.getInteger("penstock.seeds", Boolean.getBoolean("penstock.second") ? 15 : 45);

    private static final int TOPIC_COUNT = 3;

    @Test
    void shouldReadWhatAPlainReaderReads() throws IOException {
        for (int i = 0; i < SEED_COUNT; i++) {
            run(SEED + i, false);
        }
    }

    @Test
    void shouldReadNoWrongRecordWhenBitsAreFlipped() throws IOException {
        for (int i = 0; i < SEED_COUNT; i++) {
            run(SEED + i, true);
        }
    }

    @FuzzTest(maxDuration = "60s")
    void shouldReadNoWrongRecordWhenBytesAreAnything(final FuzzedDataProvider data) throws IOException {
        run(data.consumeLong(), true);
    }

    private static void run(final long seed, final boolean isDamaged) throws IOException {
        final Path directory = Files.createTempDirectory("pages");
        try {
            final Random random = new Random(seed);
            final int fileLength = random.nextBoolean() ? 64 * 1024 : 1024 * 1024;
            for (int runs = random.nextInt(3); runs > 0; runs--) {
                try (SmallJournal journal = new SmallJournal(directory, random.nextBoolean(), fileLength)) {
                    write(journal, random, fileLength);
                }
            }
            try (SmallJournal journal = new SmallJournal(directory, random.nextBoolean(), fileLength)) {
                write(journal, random, fileLength);
                journal.writer.write();
                final List<Path> files = files(journal);
                if (isDamaged) {
                    damage(files.get(random.nextInt(files.size())), random);
                }
                final long last = journal.writer.writtenSequence();
                final long first = 1L + random.nextInt((int) Math.max(1, last));
                compare(journal, files, random, first, last, isDamaged, "seed " + seed);
            }
        } finally {
            delete(directory);
        }
    }

    private static void compare(
            final SmallJournal journal,
            final List<Path> files,
            final Random random,
            final long first,
            final long last,
            final boolean isDamaged,
            final String seed)
            throws IOException {
        final List<Long> read = new ArrayList<>();
        final IOException failure = read(journal, random, first, last, read);
        if (!isDamaged) {
            assertThat(failure).as(seed).isNull();
        }
        if (failure == null) {
            assertThat(read).as(seed).hasSize((int) (last - first + 1));
        } else {
            assertThat(failure.getMessage()).as(seed).startsWith("journal: ");
        }
        for (int i = 0; i < read.size(); i++) {
            assertThat(read.get(i)).as(seed).isEqualTo(first + i);
        }
        // The plain reader knows nothing of indexes and heads: it may end before what this one finds, not after it.
        final List<Long> naive = NaiveRecords.read(files, first, last);
        if (failure == null || !failure.getMessage().contains(": the head")) {
            assertThat(read.size()).as(seed).isGreaterThanOrEqualTo(isHeadGood(failure) ? naive.size() : 0);
        }
    }

    private static boolean isHeadGood(final @Nullable IOException failure) {
        return failure == null || failure.getMessage().contains(" record ");
    }

    /** Reads as cursors do, in any order of what they may do. Returns what went wrong. */
    private static @Nullable IOException read(
            final SmallJournal journal, final Random random, final long first, final long last, final List<Long> into)
            throws IOException {
        final LogPage page = new LogPage(0);
        final PageReader reader = new PageReader(journal.files, first);
        try {
            int idle = 0;
            while (first + into.size() <= last) {
                reader.fill(page, Math.min(last, first + into.size() + random.nextInt(2_000)));
                final int before = into.size();
                readPage(reader, random, into);
                page.shrink();
                idle = into.size() == before ? idle + 1 : 0;
                assertThat(idle).as("fills without a record").isLessThan(8);
            }
            return null;
        } catch (final IOException e) {
            return e;
        } finally {
            reader.close();
            page.free();
        }
    }

    private static void readPage(final PageReader reader, final Random random, final List<Long> into)
            throws IOException {
        while (reader.next()) {
            if (random.nextInt(20) == 0) {
                reader.back();
                if (random.nextInt(4) == 0) {
                    return;
                }
                continue;
            }
            into.add(SmallJournal.check(reader.buffer(), reader.offset(), reader.length()));
            if (random.nextInt(3) == 0) {
                skip(reader, random, into);
            }
        }
    }

    private static void skip(final PageReader reader, final Random random, final List<Long> into) {
        final int topicId = random.nextInt(TOPIC_COUNT);
        final long before = reader.nextSequence();
        int at = reader.offset() + RecordDescriptor.alignedLength(reader.length());
        final int room = random.nextInt(64 * 1024);
        final int length = reader.skip(topicId, room, before + random.nextInt(100));
        assertThat(length).isLessThanOrEqualTo(room);
        final int end = at + length;
        for (long sequence = before; sequence < reader.nextSequence(); sequence++) {
            assertThat(RecordDescriptor.topicId(reader.buffer(), at)).isEqualTo(topicId);
            final int stated = RecordDescriptor.length(reader.buffer(), at);
            into.add(SmallJournal.check(reader.buffer(), at, stated));
            at += RecordDescriptor.alignedLength(stated);
        }
        assertThat(at).isEqualTo(end);
    }

    private static void write(final SmallJournal journal, final Random random, final int fileLength)
            throws IOException {
        for (int i = 1 + random.nextInt(1_500); i > 0; i--) {
            final int kind = random.nextInt(200);
            final int length = kind == 0
                    ? random.nextInt(fileLength / 2)
                    : kind < 20 ? random.nextInt(5_000) : random.nextInt(200);
            journal.append(length, random.nextInt(10) == 0 ? random.nextInt(TOPIC_COUNT) : 0);
            if (random.nextInt(30) == 0) {
                journal.commit();
            }
        }
    }

    private static void damage(final Path file, final Random random) throws IOException {
        try (RandomAccessFile damaged = new RandomAccessFile(file.toFile(), "rw")) {
            if (random.nextInt(8) == 0) {
                damaged.setLength(random.nextInt((int) damaged.length()));
                return;
            }
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                final long position = random.nextInt((int) damaged.length());
                damaged.seek(position);
                final int present = damaged.read();
                damaged.seek(position);
                damaged.write(present ^ (1 << random.nextInt(8)));
            }
        }
    }

    private static List<Path> files(final SmallJournal journal) {
        return Stream.of(journal.files.snapshot())
                .map(file -> Path.of(journal.storage.path(file.name())))
                .toList();
    }

    private static void delete(final Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (final Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
