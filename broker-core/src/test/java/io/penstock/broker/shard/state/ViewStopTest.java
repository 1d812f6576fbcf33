package io.penstock.broker.shard.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.shard.WindowShard;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateMemory;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.ViewRule;
import io.penstock.broker.topic.WindowRule;
import io.penstock.format.MessageFormats;
import io.penstock.protocol.RecordDescriptor;
import java.util.List;
import java.util.Objects;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.Test;

/** A view that has more groups than it may have, or rows that cannot be made. */
class ViewStopTest {
    private static final int GROUP_COUNT_MAX = 3;
    private static final int CHUNK_LENGTH = 64 * 1024;

    /** A field that no row has. */
    private static final String ABSENT = "absent";

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

    /** Rows of some groups would look as if they were all. */
    @Test
    void shouldStopWhenItsRowsCannotBeComputedAtTheStart() {
        final Views views = new Views(counters.newCounter("shard-0", "windowCuts"), windowLength, GROUP_COUNT_MAX);
        try (WindowShard shard = new WindowShard(2, List.of());
                StateMemory memory = new StateMemory(StateMemory.CHUNK_LENGTH_MIN, StateMemory.CHUNK_LENGTH_MIN);
                StateStore store = new StateStore(memory, new Snapshots(), 1 << 20)) {
            shard.shard.commands().createTopic("records", "json", StateRule.of("id", 0));
            shard.publish("records", "{\"id\":1}");
            shard.settle();
            final StateTopic records = Objects.requireNonNull(shard.state().find("records"));
            views.add(
                    new ViewRule("v", "records", "", "id", "", WindowRule.NONE, null),
                    records,
                    target(store, "v", ABSENT));
            views.addMoving(
                    counting("w"),
                    source,
                    target(store, "w", ABSENT),
                    (topicId, sinceNs, count, handler) -> handler.onMessage(record("{\"g\":1}"), 0),
                    1);
            assertThat(windowLength.get()).isEqualTo(CHUNK_LENGTH);

            assertThatThrownBy(() -> views.apply(shard.state(), 1))
                    .hasMessageContaining("view v: a row without its key");
            assertThatThrownBy(() -> views.apply(shard.state(), 1))
                    .hasMessageContaining("view w: a row without its key");
            views.apply(shard.state(), 1);

            assertThat(views.isLagging()).isFalse();
            assertThat(windowLength.get()).isZero();
            assertThatThrownBy(views::check)
                    .hasMessage("view v: its rows could not be computed; it is no longer kept up to date");
            assertThatThrownBy(views::check).hasMessageContaining("view w: its rows could not be computed");
            shard.publish("records", "{\"id\":2}");
            shard.settle();
            take(views, "{\"g\":2}");
            views.apply(shard.state(), 1);
            views.check();
            assertThat(store.rowCount()).isZero();
        }
    }

    /** Batches of others end as before. */
    @Test
    void shouldFailOnceForEachChangeWhenARowCannotBeMade() {
        final Views views = new Views(counters.newCounter("shard-0", "windowCuts"), windowLength, GROUP_COUNT_MAX);
        try (WindowShard shard = new WindowShard(2, List.of());
                StateMemory memory = new StateMemory(StateMemory.CHUNK_LENGTH_MIN, StateMemory.CHUNK_LENGTH_MIN);
                StateStore store = new StateStore(memory, new Snapshots(), 1 << 20)) {
            views.addMoving(counting("v"), source, target(store, "v", ABSENT), MessageHistory.NONE, 1);
            views.apply(shard.state(), 1);
            for (int i = 0; i < 2; i++) {
                take(views, "{\"g\":1}");
                assertThatThrownBy(() -> views.apply(shard.state(), 1)).hasMessageContaining("a row without its key");
                views.apply(shard.state(), 1);
                assertThat(views.isLagging()).isFalse();
            }
        }
    }

    private void addView(final Views views, final StateStore store, final String name) {
        views.addMoving(counting(name), source, target(store, name, "g"), MessageHistory.NONE, 1);
    }

    private static ViewRule counting(final String name) {
        return new ViewRule(name, "s", "", "g, COUNT(*) AS n", "g", new WindowRule(0, 0, 1_000, 1 << 20), null);
    }

    private static StateTopic target(final StateStore store, final String name, final String key) {
        final StateRule keyed = StateRule.view(key);
        return new StateTopic(new Topic(0, 2, name, MessageFormats.formatFor("json"), keyed), keyed, store, null);
    }

    private void take(final Views views, final String text) {
        views.onMessage(source.id(), record(text), 0);
    }

    private UnsafeBuffer record(final String text) {
        final int length = RecordDescriptor.HEADER_LENGTH + text.length();
        final UnsafeBuffer record = new UnsafeBuffer(new byte[length]);
        record.putInt(RecordDescriptor.LENGTH_OFFSET, length);
        record.putByte(RecordDescriptor.TYPE_OFFSET, (byte) RecordDescriptor.TYPE_MESSAGE);
        record.putInt(RecordDescriptor.TOPIC_ID_OFFSET, source.id());
        record.putLong(RecordDescriptor.TIMESTAMP_OFFSET, 1);
        record.putStringWithoutLengthAscii(RecordDescriptor.HEADER_LENGTH, text);
        return record;
    }
}
