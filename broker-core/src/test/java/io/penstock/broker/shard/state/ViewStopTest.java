package io.penstock.broker.shard.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateMemory;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.ViewRule;
import io.penstock.broker.topic.WindowRule;
import io.penstock.format.MessageFormats;
import io.penstock.protocol.RecordDescriptor;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.Test;

/** A view that has more groups than it may have. */
class ViewStopTest {
    private static final int GROUP_COUNT_MAX = 3;
    private static final int CHUNK_LENGTH = 64 * 1024;

    private final BrokerCounters counters = new BrokerCounters(4);
    private final AtomicCounter windowLength = counters.newCounter("shard-0", "windowLength");
    private final Topic source = new Topic(0, 1, "s", MessageFormats.formatFor("json"), null);

    @Test
    void shouldGiveTheMemoryOfItsWindowBackWhenItStops() {
        final Views views = new Views(counters.newCounter("shard-0", "windowCuts"), windowLength, GROUP_COUNT_MAX);
        try (StateMemory memory = new StateMemory(StateMemory.CHUNK_LENGTH_MIN, StateMemory.CHUNK_LENGTH_MIN);
                StateStore store = new StateStore(memory, new Snapshots(), 1 << 20)) {
            addView(views, store, "v");
            addView(views, store, "w");
            for (int i = 0; i < GROUP_COUNT_MAX; i++) {
                take(views, "{\"g\":" + i + "}");
            }
            assertThat(windowLength.get()).isEqualTo(2 * CHUNK_LENGTH);
            assertThat(views.mayLeave(1_000_000)).isTrue();
            views.check();

            take(views, "{\"g\":" + GROUP_COUNT_MAX + "}");
            assertThat(windowLength.get()).isZero();
            assertThat(views.mayLeave(1_000_000)).isFalse();
            assertThatThrownBy(views::check)
                    .hasMessageContaining(
                            "view v: more than 3 groups (group by fields of fewer values); it is no longer kept up to date");
            assertThatThrownBy(views::check).hasMessageContaining("view w: more than 3 groups");
            views.check();

            take(views, "{\"g\":0}");
            assertThat(windowLength.get()).isZero();
            views.check();
        }
    }

    private void addView(final Views views, final StateStore store, final String name) {
        final StateRule keyed = StateRule.view("g");
        final Topic topic = new Topic(0, 2, name, MessageFormats.formatFor("json"), keyed);
        final ViewRule rule =
                new ViewRule(name, "s", "", "g, COUNT(*) AS n", "g", new WindowRule(0, 0, 1_000, 1 << 20), null);
        views.addMoving(rule, source, new StateTopic(topic, keyed, store, null), MessageHistory.NONE, 1);
    }

    private void take(final Views views, final String text) {
        final int length = RecordDescriptor.HEADER_LENGTH + text.length();
        final UnsafeBuffer record = new UnsafeBuffer(new byte[length]);
        record.putInt(RecordDescriptor.LENGTH_OFFSET, length);
        record.putByte(RecordDescriptor.TYPE_OFFSET, (byte) RecordDescriptor.TYPE_MESSAGE);
        record.putInt(RecordDescriptor.TOPIC_ID_OFFSET, source.id());
        record.putLong(RecordDescriptor.TIMESTAMP_OFFSET, 1);
        record.putStringWithoutLengthAscii(RecordDescriptor.HEADER_LENGTH, text);
        views.onMessage(source.id(), record, 0);
    }
}
