package io.penstock.spring.listener;

import io.penstock.spring.LogText;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * A listener threw for some messages. The same object comes with each attempt for them. Confined to the thread that calls
 * the listener.
 */
public final class ListenerFailure {
    /** How often a recoverer is called with a message when the broker refuses for good what it does. */
    public static final int REFUSALS_MAX = 3;

    private static final Log LOG = LogFactory.getLog(ListenerFailure.class);

    private final String listenerId;
    private final PenstockMessageListener listener;
    private List<Delivery> deliveries;
    private Throwable cause;
    private int attempt;
    private @Nullable BackOffExecution backOff;

    /** What the last recoverer that was refused was called with, and how often. */
    private @Nullable Delivery refused;

    private int refusalCount;

    ListenerFailure(
            final String listenerId,
            final PenstockMessageListener listener,
            final List<Delivery> deliveries,
            final Throwable cause) {
        this.listenerId = listenerId;
        this.listener = listener;
        this.deliveries = List.copyOf(deliveries);
        this.cause = cause;
        attempt = 1;
    }

    void next(final List<Delivery> stillOpen, final Throwable newCause) {
        deliveries = List.copyOf(stillOpen);
        cause = newCause;
        attempt++;
    }

    /** The listener is called again: once more, unless it was not called with what is left. */
    void onRetry() {
        final Delivery named = named();
        if (named != null && named.isDone() && cause instanceof DeliveryException failed && !failed.isCalled()) {
            attempt--;
        }
    }

    /**
     * The listener.
     *
     * @return its id.
     */
    public String listenerId() {
        return listenerId;
    }

    /**
     * The messages that it was called with.
     *
     * @return one, or those of a batch that were not acknowledged before.
     */
    public List<Delivery> deliveries() {
        return deliveries;
    }

    /**
     * What it threw last.
     *
     * @return not what wraps it.
     */
    public Throwable cause() {
        return cause;
    }

    /**
     * Why: what it threw last, or the reason in it when that names a message.
     *
     * @return for people and policies.
     */
    public Throwable reason() {
        return cause instanceof DeliveryException named ? named.reason() : cause;
    }

    /**
     * The message that it named by a {@link DeliveryException}.
     *
     * @return one of {@link #deliveries()}; null when it named none of them.
     */
    public @Nullable Delivery named() {
        return cause instanceof DeliveryException named && deliveries.contains(named.delivery())
                ? named.delivery()
                : null;
    }

    /**
     * Hands a message to a recoverer as one that no listener gets again. The listener is told, and a requester by it, and
     * the message counts as processed.
     *
     * @param delivery  one of {@link #deliveries()}.
     * @param recoverer as of {@link #recover}.
     * @throws RuntimeException of the recoverer: an error handler lets it go, and is called again.
     */
    public void giveUp(final Delivery delivery, final DeliveryRecoverer recoverer) {
        recover(delivery, (one, id, why, attempts) -> {
            recoverer.recover(one, id, why, attempts);
            tell(one);
        });
    }

    private void tell(final Delivery delivery) {
        try {
            listener.onGivenUp(delivery, reason());
        } catch (final RuntimeException e) {
            LOG.warn("listener " + listenerId + ": " + delivery + " is given up, and that cannot be told: "
                    + LogText.of(e));
        }
    }

    /**
     * Hands a message to a recoverer that sees to another attempt. Then it counts as processed here.
     *
     * @param delivery  one of {@link #deliveries()}.
     * @param recoverer gets it with {@link #reason()}. When the broker refuses for good what it does, such as to publish to
     *                  a topic that may not be, for the {@value #REFUSALS_MAX}rd time, the message is logged as given up,
     *                  and counts as processed.
     * @throws RuntimeException of the recoverer: an error handler lets it go, and is called again.
     */
    public void recover(final Delivery delivery, final DeliveryRecoverer recoverer) {
        try {
            recoverer.recover(delivery, listenerId, reason(), attempt);
        } catch (final RuntimeException e) {
            if (!isGivenUp(delivery, e)) {
                throw e;
            }
            LOG.error(
                    "listener " + listenerId + ": " + delivery + " is given up, as it was refused " + REFUSALS_MAX
                            + " times to set it aside: " + LogText.of(e) + "; the listener threw "
                            + LogText.of(reason()),
                    reason());
            tell(delivery);
        }
        delivery.acknowledge();
    }

    private boolean isGivenUp(final Delivery delivery, final RuntimeException thrown) {
        if (!Refusals.isFinal(thrown)) {
            return false;
        }
        refusalCount = delivery.equals(refused) ? refusalCount + 1 : 1;
        refused = delivery;
        return refusalCount >= REFUSALS_MAX;
    }

    /** The delays begin anew with the next failure. */
    public void resetBackOff() {
        backOff = null;
    }

    /**
     * How often it was called with them.
     *
     * @return from 1.
     */
    public int attempt() {
        return attempt;
    }

    /**
     * How long to wait before the next attempt.
     *
     * @param policy that is started with the first failure.
     * @return in milliseconds, or {@link BackOffExecution#STOP}.
     */
    public long nextBackOffMs(final BackOff policy) {
        BackOffExecution known = backOff;
        if (known == null) {
            known = policy.start();
            backOff = known;
        }
        return known.nextBackOff();
    }
}
