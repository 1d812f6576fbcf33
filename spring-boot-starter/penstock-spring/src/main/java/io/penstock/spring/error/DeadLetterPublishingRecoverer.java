package io.penstock.spring.error;

import io.penstock.client.Message;
import io.penstock.client.PenstockException;
import io.penstock.client.Publication;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.listener.Delivery;
import io.penstock.spring.listener.DeliveryRecoverer;
import java.time.Duration;
import java.util.function.BiFunction;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Publishes a message that could not be processed to another topic, a dead letter, with its own headers and those of
 * {@link PenstockHeaders} that say where it came from and why it failed. It returns when the broker has it: on stable
 * storage, if the topic is journaled. The topic is made like that of the message when it is not there. Safe on any thread.
 */
public final class DeadLetterPublishingRecoverer implements DeliveryRecoverer {
    /** What the topic of dead letters ends with, after the name of the message's first topic. */
    public static final String SUFFIX = ".dead";

    private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(10);
    private static final Log LOG = LogFactory.getLog(DeadLetterPublishingRecoverer.class);

    private final FailedMessages failed;
    private final BiFunction<Message, Throwable, String> topics;

    /**
     * Makes a recoverer to the topic of the message with {@link #SUFFIX}; for a message that was retried, to that of its
     * first topic.
     *
     * @param connection that its client comes from.
     */
    public DeadLetterPublishingRecoverer(final PenstockConnection connection) {
        this(connection, (message, cause) -> FailedMessages.originalTopic(message) + SUFFIX);
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

    DeadLetterPublishingRecoverer(
            final PenstockConnection connection,
            final BiFunction<Message, Throwable, String> topics,
            final Duration timeout) {
        failed = new FailedMessages(connection, timeout);
        this.topics = topics;
    }

    /**
     * Publishes the dead letter.
     *
     * @throws PenstockException when the broker does not take it; the message is not lost then, as the error handler is
     *                           called again.
     */
    @Override
    public void recover(final Delivery delivery, final String listenerId, final Throwable cause, final int attempts) {
        final Message message = delivery.message();
        final String topic = topics.apply(message, cause);
        try {
            failed.publish(topic, delivery, letter(topic, delivery, listenerId, cause, attempts, true));
        } catch (final IllegalArgumentException e) {
            // With the headers of the failure there are more than a message may have.
            failed.publish(topic, delivery, letter(topic, delivery, listenerId, cause, attempts, false));
        }
        LOG.warn("listener " + listenerId + ": " + message + " went to " + topic + " after " + attempts
                + (attempts == 1 ? " attempt: " : " attempts: ") + cause);
    }

    private static Publication letter(
            final String topic,
            final Delivery delivery,
            final String listenerId,
            final Throwable cause,
            final int attempts,
            final boolean withOwnHeaders) {
        return FailedMessages.publication(topic, delivery, listenerId, cause, attempts, withOwnHeaders);
    }
}
