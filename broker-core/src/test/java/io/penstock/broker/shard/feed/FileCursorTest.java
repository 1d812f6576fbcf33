package io.penstock.broker.shard.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.concurrent.ReadyBits;
import io.penstock.broker.journal.JournalCorruptException;
import io.penstock.broker.journal.LogPages;
import io.penstock.broker.journal.PageReader;
import io.penstock.broker.journal.WrittenLog;
import io.penstock.broker.shard.feed.FileCursor.Result;
import io.penstock.broker.shard.match.Descriptor;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.Rate;
import io.penstock.broker.shard.match.Replay;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.broker.topic.TopicTable;
import io.penstock.format.MessageFormats;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.agrona.concurrent.ControlledMessageHandler.Action;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cursor over files that a test writes, and a client that the test is. */
@Timeout(60)
class FileCursorTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_122L);
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 40);
    private static final long PART = 7;
    private static final int TOPIC_COUNT = 3;
    private static final long ALL = Long.MAX_VALUE;

    @TempDir
    Path directory;

    private final LogPages pages = new LogPages(2);
    private final TopicTable topics = new TopicTable(TOPIC_COUNT);
    private final List<Long> taken = new ArrayList<>();
    private final List<String> reported = new ArrayList<>();
    private DescriptorRing ring = newRing(64 * 1024);
    private FileClient client = new FileClient(1, ring);

    FileCursorTest() {
        for (int i = 0; i < TOPIC_COUNT; i++) {
            topics.add(new Topic(0, i, "t" + i, MessageFormats.formatFor("binary"), null));
        }
    }

    @AfterEach
    void free() {
        pages.free();
    }

    @Test
    void shouldDescribeEachRecordOnceInOrder() throws IOException {
        try (WrittenLog log = log(5_000, 1)) {
            final FileCursor cursor = cursor(log, "t.*", replay(1, ALL, 5_000));
            readAll(cursor, 5_000);
            assertThat(taken).isEqualTo(sequences(1, 5_000));
            assertThat(reported).containsExactly("completed 5001");
            assertThat(cursor.read(5_000, 0)).isEqualTo(Result.WAIT);
            cursor.goOnInWindow();
            readAll(cursor, 5_000);
            assertThat(reported).containsExactly("completed 5001", "files end 5001");
            assertThat(cursor.isGone()).isTrue();
            assertThat(pages.usedCount()).as("pages that are not given back").isZero();
            cursor.close();
        }
    }

    @Test
    void shouldDescribeManyRecordsTogetherWhenNothingIsToBeLookedAt() throws IOException {
        try (WrittenLog log = log(1_000, 1)) {
            final FileCursor cursor = cursor(log, "t0", replay(1, ALL, -1));
            assertThat(cursor.read(1_000, 0)).isEqualTo(Result.READ);
            final int[] count = new int[2];
            ring.read(
                    (type, buffer, index, length) -> {
                        if (type == Descriptor.TYPE_PAGE_RUN) {
                            count[0]++;
                            count[1] += Descriptor.recordCount(buffer, index);
                            // One record alone may be longer than a unit.
                            assertThat(Descriptor.runLength(buffer, index))
                                    .isLessThanOrEqualTo(
                                            Descriptor.recordCount(buffer, index) == 1 ? 1 << 20 : 64 * 1024 - 256);
                        }
                        return Action.CONTINUE;
                    },
                    Integer.MAX_VALUE);
            assertThat(count[0]).as("runs").isBetween(2, 12);
            assertThat(count[1]).isEqualTo(1_000);
            cursor.close();
        }
    }

    @Test
    void shouldWaitAndLoseNothingWhenItsRingIsFull() throws IOException {
        ring = newRing(1024);
        client = new FileClient(1, ring);
        try (WrittenLog log = log(3_000, TOPIC_COUNT)) {
            final FileCursor cursor = cursor(log, "t.*", replay(1, ALL, 3_000));
            assertThat(cursor.read(3_000, 0)).isEqualTo(Result.WAIT);
            assertThat(cursor.read(3_000, 0)).isEqualTo(Result.WAIT);
            readAll(cursor, 3_000);
            assertThat(taken).isEqualTo(sequences(1, 3_000));
            cursor.close();
        }
    }

    @Test
    void shouldWaitForAPageWhenAllAreTaken() throws IOException {
        final FileClient other = new FileClient(2, newRing(1024));
        final var first = pages.take(other, 0);
        final var second = pages.take(other, 0);
        assertThat(first).isNotNull();
        assertThat(second).isNotNull();
        try (WrittenLog log = log(10, 1)) {
            final FileCursor cursor = cursor(log, "t.*", replay(1, ALL, -1));
            assertThat(cursor.read(10, 0)).isEqualTo(Result.NO_PAGE);
            pages.giveBack(second.id());
            pages.collect();
            readAll(cursor, 10);
            assertThat(taken).isEqualTo(sequences(1, 10));
            cursor.close();
        }
    }

    @Test
    void shouldReadAgainWhatWasLeftInAPageThatSomebodyNeeds() throws IOException {
        ring = newRing(1024);
        client = new FileClient(1, ring);
        try (WrittenLog log = log(3_000, TOPIC_COUNT)) {
            final FileCursor cursor = cursor(log, "t.*", replay(1, ALL, 3_000));
            while (taken.size() < 3_000) {
                cursor.read(3_000, 0);
                cursor.releasePage();
                take(3);
                pages.collect();
            }
            assertThat(taken).isEqualTo(sequences(1, 3_000));
            cursor.close();
        }
    }

    @Test
    void shouldEndWithARange() throws IOException {
        try (WrittenLog log = log(100, 1)) {
            final FileCursor cursor = cursor(log, "t.*", replay(11, 20, 20));
            readAll(cursor, 100);
            assertThat(taken).isEqualTo(sequences(11, 20));
            assertThat(reported).containsExactly("completed 21");
            assertThat(cursor.isGone()).isTrue();
            assertThat(pages.usedCount()).isZero();
            cursor.close();
        }
    }

    @Test
    void shouldDescribeNothingMoreWhenItIsStopped() throws IOException {
        try (WrittenLog log = log(100, 1)) {
            final FileCursor cursor = cursor(log, "t.*", replay(1, ALL, -1));
            assertThat(cursor.read(50, 0)).isEqualTo(Result.READ);
            cursor.stop();
            assertThat(cursor.read(100, 0)).isEqualTo(Result.ENDED);
            take(Integer.MAX_VALUE);
            assertThat(taken).isEqualTo(sequences(1, 50));
            assertThat(cursor.isGone()).isTrue();
            pages.collect();
            assertThat(pages.usedCount()).isZero();
            cursor.close();
        }
    }

    @Test
    void shouldReportWhichRecordFailedAfterThoseBefore() throws IOException {
        try (WrittenLog log = log(100, 1)) {
            log.damage(41);
            final FileCursor cursor = cursor(log, "t.*", replay(1, ALL, -1));
            assertThatThrownBy(() -> readAll(cursor, 100)).isInstanceOf(JournalCorruptException.class);
            cursor.fail();
            readAll(cursor, 100);
            assertThat(taken).isEqualTo(sequences(1, 40));
            assertThat(reported).containsExactly("failed 41");
            assertThat(cursor.isGone()).isTrue();
            cursor.close();
        }
    }

    @Test
    void shouldDescribeNoMoreThanARateAllows() throws IOException {
        try (WrittenLog log = log(100, 1)) {
            final FileCursor cursor = cursor(
                    log,
                    "t.*",
                    new Replay(
                            1,
                            Long.MIN_VALUE,
                            ALL,
                            Long.MAX_VALUE,
                            -1,
                            true,
                            false,
                            new Rate(Rate.Unit.MESSAGES, 1_000, 0),
                            0));
            assertThat(cursor.read(100, 0)).isEqualTo(Result.WAIT);
            take(Integer.MAX_VALUE);
            assertThat(taken).hasSize(1);
            for (int ms = 1; ms <= 20; ms++) {
                cursor.read(100, ms * 1_000_000L);
                take(Integer.MAX_VALUE);
                assertThat(taken.size()).isBetween(ms, ms + 1);
            }
            cursor.rate(Rate.UNLIMITED, 0);
            readAll(cursor, 100);
            assertThat(taken).isEqualTo(sequences(1, 100));
            cursor.close();
        }
    }

    @Test
    void shouldDescribeWhatAPlainLoopFinds() throws IOException {
        for (long seed = SEED; seed < SEED + SEED_COUNT; seed++) {
            final Random random = new Random(seed);
            taken.clear();
            reported.clear();
            ring = newRing(1024 << random.nextInt(6));
            client = new FileClient(1, ring);
            try (WrittenLog log = new WrittenLog(directory.resolve("log-" + seed))) {
                log.append(random, 1 + random.nextInt(4_000), 1 + random.nextInt(TOPIC_COUNT));
                final long last = log.lastSequence();
                final long from = 1L + random.nextInt((int) last);
                final long to = random.nextBoolean() ? ALL : from + random.nextInt(100);
                final long end = Math.min(to, last);
                final String pattern = random.nextBoolean() ? "t.*" : "t" + random.nextInt(TOPIC_COUNT);
                final FileCursor cursor = cursor(log, pattern, replay(from, end < last ? end : ALL, end));
                for (int turn = 0; reported.isEmpty(); turn++) {
                    assertThat(turn).as("seed %s", seed).isLessThan(100_000);
                    cursor.read(Math.min(last, from + random.nextInt((int) last)), 0);
                    if (random.nextInt(50) == 0) {
                        cursor.releasePage();
                    }
                    take(random.nextInt(20));
                    pages.collect();
                }
                assertThat(taken).as("seed %s", seed).isEqualTo(log.sequences(pattern, from, end));
                assertThat(reported).as("seed %s", seed).containsExactly("completed " + (end + 1));
                cursor.stop();
                readAll(cursor, last);
                assertThat(cursor.isGone()).as("seed %s", seed).isTrue();
                assertThat(pages.usedCount()).as("seed %s", seed).isZero();
                cursor.close();
            }
        }
    }

    private FileCursor cursor(final WrittenLog log, final String pattern, final Replay replay) {
        return new FileCursor(
                new Interest(PART, 1, 0, TopicPattern.regex(pattern), "", null),
                replay,
                client,
                new PageReader(log.files(), replay.sequence()),
                pages,
                topics,
                0);
    }

    private static Replay replay(final long from, final long to, final long completed) {
        return new Replay(from, Long.MIN_VALUE, to, Long.MAX_VALUE, completed, true, false, Rate.UNLIMITED, 0);
    }

    private void readAll(final FileCursor cursor, final long written) throws IOException {
        int idle = 0;
        while (idle < 3) {
            final Result result = cursor.read(written, 0);
            idle = take(Integer.MAX_VALUE) == 0 && result != Result.READ ? idle + 1 : 0;
            pages.collect();
        }
    }

    /** Takes descriptors as a client's I/O agent does. */
    private int take(final int limit) {
        return ring.read(
                (type, buffer, index, length) -> {
                    final long position = Descriptor.position(buffer, index);
                    final long sequence = Descriptor.sequence(buffer, index);
                    switch (type) {
                        case Descriptor.TYPE_PAGE_RUN ->
                            takeRun(
                                    position,
                                    sequence,
                                    Descriptor.runLength(buffer, index),
                                    Descriptor.topicId(buffer, index),
                                    Descriptor.recordCount(buffer, index));
                        case Descriptor.TYPE_PAGE_END -> pages.giveBack((int) position);
                        case Descriptor.TYPE_COMPLETED -> reported.add("completed " + sequence);
                        case Descriptor.TYPE_FILES_END -> reported.add("files end " + sequence);
                        case Descriptor.TYPE_FAILED -> reported.add("failed " + sequence);
                        default -> throw new AssertionError("type " + type);
                    }
                    return Action.CONTINUE;
                },
                limit);
    }

    private void takeRun(
            final long position, final long sequence, final int runLength, final int topicId, final int recordCount) {
        final UnsafeBuffer page = pages.buffer((int) (position >> 32));
        final int start = (int) position;
        assertThat(RecordDescriptor.sequence(page, start)).isEqualTo(sequence);
        int count = 0;
        int at = start;
        while (at < start + runLength) {
            if (RecordDescriptor.type(page, at) != RecordDescriptor.TYPE_PADDING) {
                assertThat(RecordDescriptor.topicId(page, at)).isEqualTo(topicId);
                taken.add(WrittenLog.check(page, at));
                count++;
            }
            at += RecordDescriptor.alignedLength(RecordDescriptor.length(page, at));
        }
        assertThat(at).isEqualTo(start + runLength);
        assertThat(count).isEqualTo(recordCount);
    }

    private WrittenLog log(final int count, final int topicCount) throws IOException {
        final WrittenLog log = new WrittenLog(directory);
        log.append(new Random(SEED), count, topicCount);
        return log;
    }

    private static DescriptorRing newRing(final int length) {
        return new DescriptorRing(length, new ReadyBits(1, () -> {}), 0);
    }

    private static List<Long> sequences(final long from, final long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }
}
