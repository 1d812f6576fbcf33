package io.penstock.broker.shard.log;

import static io.penstock.broker.shard.log.WindowLog.SEGMENT_LENGTH;
import static io.penstock.broker.shard.log.WindowLog.payloadLength;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogReaderTest {
    @Test
    void shouldSeeNothingWhenNothingIsPublished() {
        final WindowLog log = new WindowLog(3);
        final LogReader reader = log.reader(0);
        assertThat(reader.next(Long.MAX_VALUE)).isFalse();
        log.append(10);
        assertThat(reader.next(Long.MAX_VALUE)).isFalse();
        log.publish();

        assertThat(reader.next(Long.MAX_VALUE)).isTrue();
        assertThat(reader.position()).isEqualTo(log.appender.position());
        assertThat(reader.next(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void shouldStopBeforeTheLimit() {
        final WindowLog log = new WindowLog(3);
        log.append(payloadLength(64));
        final long second = log.append(payloadLength(64));
        log.append(payloadLength(64));
        log.publish();
        final LogReader reader = log.reader(0);

        assertThat(reader.next(second)).isTrue();
        assertThat(reader.next(second)).isFalse();
        assertThat(reader.position()).isEqualTo(second);
        assertThat(reader.next(second + 1)).isTrue();
        assertThat(reader.recordPosition()).isEqualTo(second);
    }

    @Test
    void shouldReadARecordAgainWhenTakenBack() {
        final WindowLog log = new WindowLog(3);
        log.append(payloadLength(SEGMENT_LENGTH / 2));
        log.append(payloadLength(SEGMENT_LENGTH / 2 - 128));
        // Padding lies before the next one.
        final long third = log.append(payloadLength(256));
        log.publish();
        final LogReader reader = log.reader(SEGMENT_LENGTH - 128);
        assertThat(reader.next(Long.MAX_VALUE)).isTrue();
        reader.back();

        assertThat(reader.position()).isEqualTo(third);
        assertThat(reader.next(Long.MAX_VALUE)).isTrue();
        assertThat(reader.recordPosition()).isEqualTo(third);
        assertThat(reader.length()).isEqualTo(256);
    }

    @Test
    void shouldStartAtAPositionThatIsNotPublishedYet() {
        final WindowLog log = new WindowLog(3);
        log.append(payloadLength(SEGMENT_LENGTH / 2));
        log.append(payloadLength(SEGMENT_LENGTH / 2));
        log.publish();
        final LogReader reader = log.reader(SEGMENT_LENGTH);
        assertThat(reader.next(Long.MAX_VALUE)).isFalse();
        log.append(5);
        log.publish();

        assertThat(reader.next(Long.MAX_VALUE)).isTrue();
        assertThat(reader.recordPosition()).isEqualTo(SEGMENT_LENGTH);
    }

    @Test
    void shouldSkipPaddingWhenNothingFollowsYet() {
        final WindowLog log = new WindowLog(3);
        log.append(payloadLength(SEGMENT_LENGTH / 2));
        log.append(payloadLength(SEGMENT_LENGTH / 2 - 128));
        log.append(payloadLength(256));
        log.publish();
        final LogReader reader = log.reader(SEGMENT_LENGTH - 128);

        assertThat(reader.next(SEGMENT_LENGTH)).isFalse();
        assertThat(reader.position()).isEqualTo(SEGMENT_LENGTH);
    }
}
