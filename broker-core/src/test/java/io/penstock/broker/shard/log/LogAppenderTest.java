package io.penstock.broker.shard.log;

import static io.penstock.broker.shard.log.WindowLog.PAYLOAD_LENGTH_MAX;
import static io.penstock.broker.shard.log.WindowLog.SEGMENT_LENGTH;
import static io.penstock.broker.shard.log.WindowLog.payloadLength;
import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.alignedLength;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.protocol.RecordDescriptor;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class LogAppenderTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_120L);
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 50);

    @Test
    void shouldWriteTheWholeHeader() {
        final WindowLog log = new WindowLog(3);
        // What lay there before must not shine through.
        log.window.buffer(0).setMemory(0, SEGMENT_LENGTH, (byte) 0x5A);
        final UnsafeBuffer payload = new UnsafeBuffer("xabcx".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        final long position = log.appender.append(
                RecordDescriptor.TYPE_TOPIC,
                11,
                new Publication().of(12, 13, 14).payload(payload, 1, 3));
        final UnsafeBuffer buffer = log.window.buffer(position);

        assertThat(position).isZero();
        assertThat(RecordDescriptor.length(buffer, 0)).isEqualTo(HEADER_LENGTH + 3);
        assertThat(RecordDescriptor.type(buffer, 0)).isEqualTo(RecordDescriptor.TYPE_TOPIC);
        assertThat(buffer.getByte(RecordDescriptor.FLAGS_OFFSET)).isZero();
        assertThat(buffer.getShort(RecordDescriptor.TRAILER_LENGTH_OFFSET)).isZero();
        assertThat(RecordDescriptor.sequence(buffer, 0)).isEqualTo(1);
        assertThat(RecordDescriptor.timestampNs(buffer, 0)).isEqualTo(11);
        assertThat(RecordDescriptor.topicId(buffer, 0)).isEqualTo(12);
        assertThat(RecordDescriptor.publisherId(buffer, 0)).isEqualTo(13);
        assertThat(RecordDescriptor.publisherSequence(buffer, 0)).isEqualTo(14);
        assertThat(buffer.getInt(RecordDescriptor.EPOCH_OFFSET)).isEqualTo(1);
        assertThat(buffer.getInt(RecordDescriptor.CHECKSUM_OFFSET)).isZero();
        assertThat(buffer.getStringWithoutLengthAscii(HEADER_LENGTH, 3)).isEqualTo("abc");
    }

    @Test
    void shouldShowReadersNoMoreThanWhatIsCommitted() {
        final WindowLog log = new WindowLog(3);
        log.append(10);
        log.appender.commit();
        final long committed = log.appender.position();
        log.append(10);

        log.appender.publish();

        assertThat(log.published.get()).isEqualTo(committed);
        assertThat(log.appender.committedPosition()).isEqualTo(committed);
        assertThat(log.appender.committedSequence()).isEqualTo(1);
        assertThat(log.appender.lastSequence()).isEqualTo(2);
        log.publish();
        assertThat(log.published.get()).isEqualTo(log.appender.position());
        assertThat(log.appender.committedSequence()).isEqualTo(2);
    }

    @Test
    void shouldFillASegmentToItsLastByte() {
        final WindowLog log = new WindowLog(3);
        log.append(payloadLength(SEGMENT_LENGTH / 2));
        log.append(payloadLength(SEGMENT_LENGTH / 2));
        log.publish();
        assertThat(log.appender.position()).isEqualTo(SEGMENT_LENGTH);
        final long next = log.append(1);
        log.publish();
        final LogReader reader = log.reader(0);

        assertThat(next).isEqualTo(SEGMENT_LENGTH);
        assertThat(reader.next(Long.MAX_VALUE)).isTrue();
        assertThat(reader.next(Long.MAX_VALUE)).isTrue();
        assertThat(reader.next(Long.MAX_VALUE)).isTrue();
        assertThat(reader.recordPosition()).isEqualTo(next);
        assertThat(reader.next(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void shouldPadASegmentWhenTheRecordDoesNotFit() {
        for (int gap = RecordDescriptor.ALIGNMENT; gap < HEADER_LENGTH * 2; gap += RecordDescriptor.ALIGNMENT) {
            final WindowLog log = new WindowLog(3);
            log.append(payloadLength(SEGMENT_LENGTH / 2));
            log.append(payloadLength(SEGMENT_LENGTH / 2 - gap));
            final long next = log.append(payloadLength(alignedLength(gap + 1) + HEADER_LENGTH));
            log.publish();
            final LogReader reader = log.reader(SEGMENT_LENGTH - gap);

            assertThat(next).as("gap %d", gap).isEqualTo(SEGMENT_LENGTH);
            assertThat(reader.next(Long.MAX_VALUE)).isTrue();
            assertThat(reader.recordPosition()).isEqualTo(next);
        }
    }

    @Test
    void shouldRefuseWhenTheOldestSegmentIsStillRead() {
        final WindowLog log = new WindowLog(3);
        long refused = 0;
        int count = 0;
        while ((refused = log.append(payloadLength(SEGMENT_LENGTH / 2))) >= 0) {
            count++;
        }
        final long sequence = log.appender.lastSequence();
        final long position = log.appender.position();

        assertThat(refused).isEqualTo(LogAppender.NO_ROOM);
        assertThat(count).isEqualTo(2 * 3);
        assertThat(log.append(payloadLength(SEGMENT_LENGTH / 2))).isEqualTo(LogAppender.NO_ROOM);
        assertThat(log.appender.lastSequence()).isEqualTo(sequence);
        assertThat(log.appender.position()).isEqualTo(position);
        log.reclaim.release(0, log.reclaim.demanded());
        assertThat(log.append(payloadLength(SEGMENT_LENGTH / 2))).isEqualTo(3 * SEGMENT_LENGTH);
        assertThat(log.appender.lastSequence()).isEqualTo(sequence + 1);
    }

    @Test
    void shouldStillTakeWhatFitsWhenTheNextSegmentIsNotReleased() {
        final WindowLog log = new WindowLog(3);
        for (int i = 0; i < 5; i++) {
            log.append(payloadLength(SEGMENT_LENGTH / 2));
        }
        log.append(payloadLength(SEGMENT_LENGTH / 2 - HEADER_LENGTH - 8));

        assertThat(log.append(100)).isEqualTo(LogAppender.NO_ROOM);
        assertThat(log.append(8)).isEqualTo(3 * SEGMENT_LENGTH - HEADER_LENGTH - 8);
    }

    @Test
    void shouldDemandOneSegmentAheadAndWakeTheReaders() {
        final WindowLog log = new WindowLog(4, 2);
        final long[] demands = {0, 0, 0, 1, 2, 3};
        for (int segment = 0; segment < 6; segment++) {
            final int wakeups = log.wakeups;
            while (log.window.segmentNumber(log.appender.position()) < segment || log.appender.position() == 0) {
                assertThat(log.append(payloadLength(SEGMENT_LENGTH / 2))).isNotNegative();
            }
            // The first record of the segment.
            assertThat(log.append(payloadLength(SEGMENT_LENGTH / 4))).isNotNegative();
            assertThat(log.reclaim.demanded()).isEqualTo(demands[segment] * SEGMENT_LENGTH);
            if (segment > 0) {
                assertThat(log.wakeups).isGreaterThan(wakeups);
            }
            for (int reader = 0; reader < 2; reader++) {
                log.reclaim.release(reader, log.reclaim.demanded());
            }
        }
    }

    @Test
    void shouldWaitForTheSlowestReader() {
        final WindowLog log = new WindowLog(3, 2);
        while (log.append(PAYLOAD_LENGTH_MAX) >= 0) {}
        log.reclaim.release(1, log.reclaim.demanded());

        assertThat(log.append(PAYLOAD_LENGTH_MAX)).isEqualTo(LogAppender.NO_ROOM);
        assertThat(log.reclaim.isDue(0)).isTrue();
        assertThat(log.reclaim.isDue(1)).isFalse();
        log.reclaim.release(0, log.reclaim.demanded());
        assertThat(log.append(PAYLOAD_LENGTH_MAX)).isNotNegative();
    }

    /** A reader that follows at any distance reads what was appended, and nothing is overwritten before. */
    @Test
    void shouldReadBackWhatWasAppendedForEver() {
        for (int i = 0; i < SEED_COUNT; i++) {
            readBack(SEED + i);
        }
    }

    private static void readBack(final long seed) {
        final Random random = new Random(seed);
        final WindowLog log = new WindowLog(3 + random.nextInt(3));
        final LogReader reader = log.reader(0);
        long expected = 1;
        while (expected < 2_000) {
            for (int i = random.nextInt(8); i > 0; i--) {
                log.append(random.nextInt(4) == 0 ? PAYLOAD_LENGTH_MAX : random.nextInt(PAYLOAD_LENGTH_MAX + 1));
            }
            if (random.nextBoolean()) {
                log.publish();
            }
            for (int i = random.nextInt(8); i > 0 && reader.next(Long.MAX_VALUE); i--) {
                final int offset = reader.offset();
                assertThat(RecordDescriptor.sequence(reader.buffer(), offset))
                        .as("seed %d", seed)
                        .isEqualTo(expected);
                for (int at = HEADER_LENGTH; at < reader.length(); at++) {
                    assertThat(reader.buffer().getByte(offset + at)).isEqualTo((byte) expected);
                }
                expected++;
                if (random.nextInt(10) == 0) {
                    reader.back();
                    expected--;
                }
            }
            final long needed = reader.position();
            if (log.reclaim.isDue(0) && log.reclaim.demanded() <= needed) {
                log.reclaim.release(0, log.reclaim.demanded());
            }
        }
    }
}
