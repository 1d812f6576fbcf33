package io.penstock.broker.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicTable;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageValidator;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** What one session may do with one topic, decided once. Confined to the session's I/O agent. */
final class TopicAccess {
    final Topic topic;
    final DirectBuffer name;
    final MessageValidator validator;
    final boolean mayPublish;
    final boolean maySubscribe;
    final boolean mayDelete;

    /** Whether its messages are written to files, so that each publish looks how these are. */
    final boolean isJournaled;

    /** Reads the topic's keys; null when it keeps no state or publishers give the key. */
    final @Nullable KeyReader keyReader;

    private final TopicTable table;

    /** At which count of deletions the topic was found in the table. */
    private int deletionCount = -1;

    /** Whether the client has been told the topic's name. */
    boolean announced;

    TopicAccess(
            final Topic topic,
            final TopicTable table,
            final MessageValidator validator,
            final @Nullable KeyReader keyReader,
            final boolean mayPublish,
            final boolean maySubscribe,
            final boolean mayDelete,
            final boolean isJournaled) {
        this.topic = topic;
        this.table = table;
        name = new UnsafeBuffer(topic.name().getBytes(UTF_8));
        this.validator = validator;
        this.keyReader = keyReader;
        this.mayPublish = mayPublish;
        this.maySubscribe = maySubscribe;
        this.mayDelete = mayDelete;
        this.isJournaled = isJournaled;
    }

    /** Whether the topic was not deleted; cheap while none is. */
    boolean isThere() {
        final int count = table.deletionCount();
        if (count != deletionCount) {
            if (table.find(topic.id()) == null) {
                return false;
            }
            deletionCount = count;
        }
        return true;
    }
}
