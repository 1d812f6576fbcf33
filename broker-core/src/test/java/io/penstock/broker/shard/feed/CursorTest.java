package io.penstock.broker.shard.feed;

import static io.penstock.protocol.RecordDescriptor.TYPE_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.ReadyBits;
import io.penstock.broker.shard.log.LogAppender;
import io.penstock.broker.shard.log.LogReader;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.log.Reclaim;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.Rate;
import io.penstock.broker.shard.match.Replay;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.broker.topic.TopicTable;
import io.penstock.format.MessageFormats;
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
        final CursorGroup group = group();
        final Cursor cursor = new Cursor(
                new Interest(1, 1, 0, TopicPattern.literal("t"), "", null),
                Replay.untilLive(1),
                group,
                0,
                topics,
                SEGMENT_LENGTH,
                0);
        group.add(cursor);
        append();
        assertThat(read(group)).isPositive();
        cursor.onAttachAsked();
        append();
        final long handOver = log.position();
        append();

        assertThat(read(group)).isZero();
        assertThat(cursor.isComplete()).isFalse();
        cursor.onAttached(handOver);
        assertThat(read(group)).isPositive();
        assertThat(cursor.position()).isEqualTo(handOver);
        assertThat(cursor.isComplete()).isTrue();
    }

    @Test
    void shouldReadTheLogOnceForThoseThatItComesTo() {
        final CursorGroup group = group();
        final Cursor behind = cursor(group, 1, 0, Rate.UNLIMITED);
        final long middle = append(500);
        final Cursor ahead = cursor(group, 2, middle, Rate.UNLIMITED);
        append(500);

        long length = 0;
        for (int i = 0; i < 3; i++) {
            length += read(group);
        }
        assertThat(length).isEqualTo(log.position());
        assertThat(behind.position()).isEqualTo(log.position());
        assertThat(ahead.position()).isEqualTo(log.position());
    }

    @Test
    void shouldHaveThoseThatAreNearWaitUntilItHasComeToThem() {
        final CursorGroup group = group();
        cursor(group, 1, 0, Rate.UNLIMITED);
        final long ahead = append(1_500);
        final Cursor waiting = cursor(group, 2, ahead, Rate.UNLIMITED);
        append(500);

        assertThat(read(group)).isLessThan(ahead);
        assertThat(waiting.position()).isEqualTo(ahead);
        assertThat(read(group)).isPositive();
        assertThat(waiting.position()).isEqualTo(log.position());
    }

    @Test
    void shouldNotHoldUpOthersWhenItIsToBeSlow() {
        final CursorGroup group = group();
        final Cursor slow = cursor(group, 1, 0, new Rate(Rate.Unit.MESSAGES, 1, 0));
        final long ahead = append(100);
        final Cursor fast = cursor(group, 2, ahead, Rate.UNLIMITED);
        append(500);

        read(group);
        assertThat(slow.position()).isLessThan(ahead);
        assertThat(fast.position()).isEqualTo(log.position());
    }

    private CursorGroup group() {
        topics.add(new Topic(0, 0, "t", MessageFormats.formatFor("binary"), null));
        return new CursorGroup(ring, 0, new LogReader(window, published, 0));
    }

    private Cursor cursor(final CursorGroup group, final long feed, final long position, final Rate rate) {
        final Cursor cursor = new Cursor(
                new Interest(feed, 1, 0, TopicPattern.literal("t"), "", null),
                new Replay(0, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, -1, false, false, rate, 0),
                group,
                position,
                topics,
                SEGMENT_LENGTH,
                0);
        group.add(cursor);
        return cursor;
    }

    private long append(final int count) {
        for (int i = 0; i < count; i++) {
            append();
        }
        return log.position();
    }

    private long read(final CursorGroup group) {
        return group.read(log.position(), log.position(), 0);
    }

    private void append() {
        log.append(TYPE_MESSAGE, 0, new Publication().of(0, 0, 0).payload(new UnsafeBuffer(new byte[10]), 0, 10));
        log.commit();
        log.publish();
    }
}
