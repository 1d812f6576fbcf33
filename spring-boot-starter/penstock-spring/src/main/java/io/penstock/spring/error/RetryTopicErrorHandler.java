package io.penstock.spring.error;

import io.penstock.spring.listener.Delivery;
import io.penstock.spring.listener.DeliveryRecoverer;
import io.penstock.spring.listener.FatalExceptions;
import io.penstock.spring.listener.ListenerFailure;
import io.penstock.spring.listener.PenstockErrorHandler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Hands a message that failed to a topic of retries at once, or, after the last retry and for what will fail again, to the
 * dead letters. Safe on any thread.
 */
public final class RetryTopicErrorHandler implements PenstockErrorHandler {
    private final String listenerId;
    private final @Nullable DeliveryRecoverer next;
    private final DeliveryRecoverer deadLetters;
    private final FatalExceptions fatal = new FatalExceptions();

    /**
     * Makes a handler.
     *
     * @param listenerId  the id of the listener that they are retries of.
     * @param next        takes retries; null after the last one.
     * @param deadLetters takes what is not retried any more.
     */
    public RetryTopicErrorHandler(
            final String listenerId, final @Nullable DeliveryRecoverer next, final DeliveryRecoverer deadLetters) {
        this.listenerId = listenerId;
        this.next = next;
        this.deadLetters = deadLetters;
    }

    /**
     * Exceptions that are not retried.
     *
     * @return to be added to.
     */
    public FatalExceptions fatal() {
        return fatal;
    }

    @Override
    public Decision onFailure(final ListenerFailure failure) {
        final Delivery named = failure.named();
        if (named != null) {
            recover(named, failure, failure.reason());
            return Decision.retryAfter(Duration.ZERO);
        }
        failure.deliveries().forEach(delivery -> recover(delivery, failure, failure.reason()));
        return Decision.DONE;
    }

    private void recover(final Delivery delivery, final ListenerFailure failure, final Throwable cause) {
        if (next == null || fatal.isFatal(cause)) {
            failure.giveUp(delivery, named(deadLetters));
        } else {
            failure.recover(delivery, named(next));
        }
    }

    /** For people it is one listener, whichever of its topics the message has come by. */
    private DeliveryRecoverer named(final DeliveryRecoverer recoverer) {
        return (delivery, id, cause, attempts) -> recoverer.recover(delivery, listenerId, cause, attempts);
    }
}
