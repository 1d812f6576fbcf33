package io.penstock.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.MessageFormats;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TopicTableTest {
    private static final int COUNT = 2_000;

    @Test
    void shouldCountMessagesOfEachTopicWhenTheyComeInRuns() {
        final TopicTable table = table(2_000);
        for (int i = 0; i < 10; i++) {
            table.onMessage(7);
            table.onMessage(i < 5 ? 7 : 1_500);
        }
        assertThat(table.has(1_500)).isTrue();
        table.flushCounts();
        table.flushCounts();
        assertThat(table.messageCount(7)).isEqualTo(15);
        assertThat(table.messageCount(1_500)).isEqualTo(5);
        assertThat(table.messageCount(8)).isZero();
    }

    @Test
    void shouldKeepCountsOfOthersWhenTheLastMessagesTopicIsRemoved() {
        final TopicTable table = table(3);
        table.onMessage(0);
        table.onMessage(1);
        table.remove(Objects.requireNonNull(table.find(1)));
        table.onMessage(2);
        table.flushCounts();
        assertThat(table.has(1)).isFalse();
        assertThat(table.has(2)).isTrue();
        assertThat(table.messageCount(0)).isEqualTo(1);
        assertThat(table.messageCount(2)).isEqualTo(1);
    }

    /** Others read the table for each message that they get. */
    @Test
    void shouldWriteNoFieldOfItsOwnWhenMessagesAreCounted() throws IllegalAccessException {
        final TopicTable table = table(2);
        table.onMessage(0);
        table.flushCounts();
        final List<Object> before = fields(table);
        for (int i = 0; i < 5; i++) {
            table.onMessage(i % 2);
            assertThat(fields(table)).isEqualTo(before);
        }
    }

    @Test
    void shouldKnowTheTopicsThatWereDeletedLast() {
        final TopicTable table = table(COUNT);
        assertThat(table.findDeleted(0)).isNull();
        for (int id = 0; id < COUNT; id++) {
            final Topic topic = Objects.requireNonNull(table.find(id));
            table.remove(topic);
            assertThat(table.find(id)).isNull();
            assertThat(table.findDeleted(id)).isSameAs(topic);
        }
        assertThat(table.findDeleted(COUNT - TopicTable.DELETED_COUNT)).isNotNull();
        assertThat(table.findDeleted(COUNT - TopicTable.DELETED_COUNT - 1)).isNull();
        assertThat(table.findDeleted(COUNT)).isNull();
    }

    private static TopicTable table(final int count) {
        final TopicTable table = new TopicTable(count);
        for (int i = 0; i < count; i++) {
            table.add(new Topic(0, i, "topic" + i, Objects.requireNonNull(MessageFormats.find("json")), null));
        }
        return table;
    }

    /** References by identity, as what they lead to lies elsewhere. */
    private static List<Object> fields(final TopicTable table) throws IllegalAccessException {
        final List<Object> values = new ArrayList<>();
        for (final Field field : TopicTable.class.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                final Object value = Objects.requireNonNull(field.get(table));
                values.add(field.getType().isPrimitive() ? value : System.identityHashCode(value));
            }
        }
        return values;
    }
}
