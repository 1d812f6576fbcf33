package io.penstock.broker.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.format.KeyReader;
import io.penstock.broker.format.MessageValidator;
import io.penstock.broker.topic.Topic;
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

    /** Whether its messages are written to files, so that each publish looks how these are. */
    final boolean isJournaled;

    /** Reads the topic's keys; null when it keeps no state or publishers give the key. */
    final @Nullable KeyReader keyReader;

    /** Whether the client has been told the topic's name. */
    boolean announced;

    TopicAccess(
            final Topic topic,
            final MessageValidator validator,
            final @Nullable KeyReader keyReader,
            final boolean mayPublish,
            final boolean maySubscribe,
            final boolean isJournaled) {
        this.topic = topic;
        name = new UnsafeBuffer(topic.name().getBytes(UTF_8));
        this.validator = validator;
        this.keyReader = keyReader;
        this.mayPublish = mayPublish;
        this.maySubscribe = maySubscribe;
        this.isJournaled = isJournaled;
    }
}
