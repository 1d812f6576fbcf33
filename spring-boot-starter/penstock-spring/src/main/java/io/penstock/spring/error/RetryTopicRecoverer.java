package io.penstock.spring.error;

import io.penstock.client.Publication;
import io.penstock.spring.LogText;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.listener.Delivery;
import io.penstock.spring.listener.DeliveryRecoverer;
import java.time.Duration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Publishes a message that failed to a topic of retries, with the time at which it is due: so the messages behind it do not
 * wait. Safe on any thread.
 */
public final class RetryTopicRecoverer implements DeliveryRecoverer {
    private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(10);
    private static final Log LOG = LogFactory.getLog(RetryTopicRecoverer.class);

    private final FailedMessages failed;
    private final String origin;
    private final String topic;
    private final Duration delay;
    private final String owner;

    /**
     * Makes a recoverer.
     *
     * @param connection that its client comes from.
     * @param origin     the topic of the listener that they are retries of.
     * @param topic      of the retries, made like that of the message when it is not there.
     * @param delay      until a retry is due.
     * @param owner      whose retries they are, unique among those that read the topic; see {@link #filter}.
     */
    public RetryTopicRecoverer(
            final PenstockConnection connection,
            final String origin,
            final String topic,
            final Duration delay,
            final String owner) {
        this.origin = origin;
        failed = new FailedMessages(connection, TIMEOUT_DEFAULT);
        this.topic = topic;
        this.delay = delay;
        this.owner = FailedMessages.cut(owner);
    }

    /**
     * The filter by which an owner gets its own retries, and no others.
     *
     * @param owner as the recoverer has it.
     * @return a condition on {@link PenstockHeaders#RETRY_LISTENER}.
     */
    public static String filter(final String owner) {
        return "HEADER('" + PenstockHeaders.RETRY_LISTENER + "') = '"
                + FailedMessages.cut(owner).replace("'", "''") + "'";
    }

    @Override
    public void recover(final Delivery delivery, final String listenerId, final Throwable cause, final int attempts) {
        final long dueMs = System.currentTimeMillis() + delay.toMillis();
        failed.publish(topic, delivery, withOwn -> retry(delivery, listenerId, cause, attempts, withOwn, dueMs));
        LOG.info("listener " + listenerId + ": " + delivery + " is retried by " + topic + " in " + delay.toMillis()
                + " ms: " + LogText.of(cause));
    }

    private Publication retry(
            final Delivery delivery,
            final String listenerId,
            final Throwable cause,
            final int attempts,
            final boolean withOwnHeaders,
            final long dueMs) {
        return FailedMessages.publication(topic, origin, delivery, listenerId, cause, attempts, withOwnHeaders)
                .header(PenstockHeaders.RETRY_LISTENER, owner)
                .header(PenstockHeaders.DUE, dueMs);
    }
}
