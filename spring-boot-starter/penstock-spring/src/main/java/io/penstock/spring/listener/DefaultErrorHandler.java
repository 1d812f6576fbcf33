package io.penstock.spring.listener;

import io.penstock.spring.LogText;
import java.time.Duration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Calls the listener again after delays, and hands the message to a recoverer when the delays are used up. What will not
 * change, such as a payload that cannot be converted or is not valid, goes to the recoverer at once. Of a batch, a message
 * that is named by a {@link DeliveryException} goes alone, and the others come again. Safe on any thread.
 */
public final class DefaultErrorHandler implements PenstockErrorHandler {
    /** Milliseconds between attempts unless given. */
    public static final long INTERVAL_MS_DEFAULT = 500;

    /** Attempts after the first one unless given. */
    public static final long RETRIES_DEFAULT = 3;

    private static final Log LOG = LogFactory.getLog(DefaultErrorHandler.class);

    private final DeliveryRecoverer recoverer;
    private final BackOff backOff;
    private final FatalExceptions fatal = new FatalExceptions();

    /** Makes one that retries three times, half a second apart, and then logs the message as lost. */
    public DefaultErrorHandler() {
        this(new FixedBackOff(INTERVAL_MS_DEFAULT, RETRIES_DEFAULT));
    }

    /**
     * Makes one that logs a message as lost in the end.
     *
     * @param backOff delays before the attempts after the first one.
     */
    public DefaultErrorHandler(final BackOff backOff) {
        this(DefaultErrorHandler::log, backOff);
    }

    /**
     * Makes one.
     *
     * @param recoverer that gets the message in the end.
     * @param backOff   delays before the attempts after the first one.
     */
    public DefaultErrorHandler(final DeliveryRecoverer recoverer, final BackOff backOff) {
        this.recoverer = recoverer;
        this.backOff = backOff;
    }

    /**
     * Adds an exception, with its subclasses, for which the listener is not called again.
     *
     * @param type of the exception.
     */
    public void addNotRetried(final Class<? extends Throwable> type) {
        fatal.add(type);
    }

    private static void log(
            final Delivery delivery, final String listenerId, final Throwable cause, final int attempts) {
        LOG.error(
                "listener " + listenerId + ": " + delivery + " is given up after " + attempts
                        + (attempts == 1 ? " attempt" : " attempts") + ": " + LogText.of(cause),
                cause);
    }

    @Override
    public Decision onFailure(final ListenerFailure failure) {
        final Throwable reason = failure.reason();
        final long delayMs = fatal.isFatal(reason) ? BackOffExecution.STOP : failure.nextBackOffMs(backOff);
        if (delayMs != BackOffExecution.STOP) {
            return Decision.retryAfter(Duration.ofMillis(delayMs));
        }
        final Delivery named = failure.named();
        if (named != null) {
            failure.giveUp(named, recoverer);
            failure.resetBackOff();
            return Decision.retryAfter(Duration.ZERO);
        }
        failure.deliveries().forEach(delivery -> failure.giveUp(delivery, recoverer));
        return Decision.DONE;
    }
}
