package io.penstock.spring.error;

import io.penstock.client.Message;
import io.penstock.client.Publication;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.listener.Delivery;
import io.penstock.spring.listener.DeliveryRecoverer;
import java.time.Duration;

/**
 * Publishes a message that failed to a topic of retries, with the time at which it is due: so the messages behind it do not
 * wait. Safe on any thread.
 */
public final class RetryTopicRecoverer implements DeliveryRecoverer {
    private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(10);

    private final FailedMessages failed;
    private final String topic;
    private final Duration delay;

    /**
     * Makes a recoverer.
     *
     * @param connection that its client comes from.
     * @param topic      of the retries, made like that of the message when it is not there.
     * @param delay      until a retry is due.
     */
    public RetryTopicRecoverer(final PenstockConnection connection, final String topic, final Duration delay) {
        failed = new FailedMessages(connection, TIMEOUT_DEFAULT);
        this.topic = topic;
        this.delay = delay;
    }

    @Override
    public void recover(final Delivery delivery, final String listenerId, final Throwable cause, final int attempts) {
        final Message message = delivery.message();
        final long dueMs = System.currentTimeMillis() + delay.toMillis();
        try {
            failed.publish(topic, message, retry(delivery, listenerId, cause, attempts, true, dueMs));
        } catch (final IllegalArgumentException e) {
            // With the headers of the failure there are more than a message may have.
            failed.publish(topic, message, retry(delivery, listenerId, cause, attempts, false, dueMs));
        }
    }

    private Publication retry(
            final Delivery delivery,
            final String listenerId,
            final Throwable cause,
            final int attempts,
            final boolean withOwnHeaders,
            final long dueMs) {
        return FailedMessages.publication(topic, delivery, listenerId, cause, attempts, withOwnHeaders)
                .header(PenstockHeaders.DUE, dueMs);
    }
}
