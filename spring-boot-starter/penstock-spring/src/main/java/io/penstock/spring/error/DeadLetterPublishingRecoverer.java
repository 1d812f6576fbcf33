package io.penstock.spring.error;

import io.penstock.client.Message;
import io.penstock.client.PenstockException;
import io.penstock.spring.LogText;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.listener.Delivery;
import io.penstock.spring.listener.DeliveryRecoverer;
import java.time.Duration;
import java.util.function.BiFunction;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a message that could not be processed to another topic, a dead letter, with its own headers and those of
 * {@link PenstockHeaders} that say where it came from and why it failed. It returns when the broker has it: on stable
 * storage, if the topic is journaled. The topic is made like that of the message when it is not there. Safe on any thread.
 */
public final class DeadLetterPublishingRecoverer implements DeliveryRecoverer {
    /** What the topic of dead letters ends with, after the name of the message's topic. */
    public static final String SUFFIX = ".dead";

    private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(10);
    private static final Log LOG = LogFactory.getLog(DeadLetterPublishingRecoverer.class);

    private final FailedMessages failed;
    private final BiFunction<Message, Throwable, String> topics;

    /** The topic that the listener is for, where messages come by topics of retries, too. */
    private final @Nullable String origin;

    /**
     * Makes a recoverer to the topic that the message came from with {@link #SUFFIX}. Headers of the message have no say in
     * it. What fails in such a topic has no other one, and is given up.
     *
     * @param connection that its client comes from.
     */
    public DeadLetterPublishingRecoverer(final PenstockConnection connection) {
        this(connection, (message, cause) -> letterTopic(message.topic()));
    }

    /**
     * Makes a recoverer.
     *
     * @param connection that its client comes from.
     * @param topics     the topic of a dead letter, by the message and what was thrown.
     */
    public DeadLetterPublishingRecoverer(
            final PenstockConnection connection, final BiFunction<Message, Throwable, String> topics) {
        this(connection, topics, TIMEOUT_DEFAULT);
    }

    /**
     * Makes a recoverer of a listener whose messages also come by topics of retries. Of those, the headers say where the
     * message was at first.
     *
     * @param connection that its client comes from.
     * @param origin     the topic of the listener.
     * @param topic      of the dead letters.
     */
    public DeadLetterPublishingRecoverer(final PenstockConnection connection, final String origin, final String topic) {
        this(connection, (message, cause) -> topic, TIMEOUT_DEFAULT, origin);
    }

    DeadLetterPublishingRecoverer(
            final PenstockConnection connection,
            final BiFunction<Message, Throwable, String> topics,
            final Duration timeout) {
        this(connection, topics, timeout, null);
    }

    private DeadLetterPublishingRecoverer(
            final PenstockConnection connection,
            final BiFunction<Message, Throwable, String> topics,
            final Duration timeout,
            final @Nullable String origin) {
        this.origin = origin;
        failed = new FailedMessages(connection, timeout);
        this.topics = topics;
    }

    private static String letterTopic(final String topic) {
        return topic.endsWith(SUFFIX) ? topic : topic + SUFFIX;
    }

    /**
     * Publishes the dead letter, and logs what was thrown. A message that would go to the topic that it came from is given
     * up, which is logged: it would come and fail again without end.
     *
     * @throws PenstockException when the broker does not take it; the message is not lost then, as the error handler is
     *                           called again.
     */
    @Override
    public void recover(final Delivery delivery, final String listenerId, final Throwable cause, final int attempts) {
        final Message message = delivery.message();
        final String first = origin == null ? message.topic() : origin;
        final long all = FailedMessages.attempts(message, first, attempts);
        final String outcome = " after " + all + (all == 1 ? " attempt: " : " attempts: ") + LogText.of(cause);
        final String topic = topics.apply(message, cause);
        if (topic.equals(message.topic())) {
            LOG.error(
                    "listener " + listenerId + ": " + message
                            + " is given up, as it came from the topic of its dead letters," + outcome,
                    cause);
            return;
        }
        failed.publish(
                topic,
                delivery,
                withOwn -> FailedMessages.publication(topic, first, delivery, listenerId, cause, attempts, withOwn));
        LOG.warn("listener " + listenerId + ": " + message + " went to " + LogText.of(topic) + outcome, cause);
    }
}
