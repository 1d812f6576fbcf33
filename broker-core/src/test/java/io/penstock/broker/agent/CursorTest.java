package io.penstock.broker.agent;

import static io.penstock.protocol.RecordDescriptor.TYPE_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.ReadyBits;
import io.penstock.broker.format.MessageFormats;
import io.penstock.broker.journal.LogAppender;
import io.penstock.broker.journal.LogReader;
import io.penstock.broker.journal.LogWindow;
import io.penstock.broker.journal.Reclaim;
import io.penstock.broker.match.DescriptorRing;
import io.penstock.broker.match.Interest;
import io.penstock.broker.match.Replay;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.broker.topic.TopicTable;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.Test;

class CursorTest {
    private static final int SEGMENT_LENGTH = 64 * 1024;

    private final BrokerCounters counters = new BrokerCounters(8);
    private final AtomicCounter published = counters.newCounter("test", "published");
    private final LogWindow window = new LogWindow(SEGMENT_LENGTH, 4);
    private final LogAppender log = new LogAppender(
            window,
            new Reclaim(() -> {}, counters.newCounter("test", "demanded"), counters.newCounter("test", "released")),
            published);
    private final TopicTable topics = new TopicTable(4);
    private final DescriptorRing ring = new DescriptorRing(64 * 1024, new ReadyBits(1, () -> {}), 0);

    @Test
    void shouldReadNothingBetweenAskingForTheHandOverAndItsAnswer() {
        topics.add(new Topic(0, 0, "t", MessageFormats.formatFor("binary"), null));
        final Cursor cursor = new Cursor(
                new Interest(1, 1, 0, TopicPattern.literal("t"), "", null),
                Replay.untilLive(1),
                ring,
                new LogReader(window, published, 0),
                topics,
                SEGMENT_LENGTH,
                0);
        append();
        assertThat(cursor.read(Long.MAX_VALUE / 2, Long.MAX_VALUE, 0)).isPositive();
        cursor.onAttachAsked();
        append();
        final long handOver = log.position();
        append();

        assertThat(cursor.read(Long.MAX_VALUE / 2, Long.MAX_VALUE, 0)).isZero();
        assertThat(cursor.isComplete()).isFalse();
        cursor.onAttached(handOver);
        assertThat(cursor.read(Long.MAX_VALUE / 2, Long.MAX_VALUE, 0)).isPositive();
        assertThat(cursor.position()).isEqualTo(handOver);
        assertThat(cursor.isComplete()).isTrue();
    }

    private void append() {
        log.append(TYPE_MESSAGE, 0, 0, 0, 0, new UnsafeBuffer(new byte[10]), 0, 10);
        log.publish();
    }
}
