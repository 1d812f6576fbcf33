package io.penstock.spring.listener;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * A listener threw for some messages. The same object comes with each attempt for them. Confined to the thread that calls
 * the listener.
 */
public final class ListenerFailure {
    private final String listenerId;
    private List<Delivery> deliveries;
    private Throwable cause;
    private int attempt;
    private @Nullable BackOffExecution backOff;

    ListenerFailure(final String listenerId, final List<Delivery> deliveries, final Throwable cause) {
        this.listenerId = listenerId;
        this.deliveries = List.copyOf(deliveries);
        this.cause = cause;
        attempt = 1;
    }

    void next(final List<Delivery> stillOpen, final Throwable newCause) {
        deliveries = List.copyOf(stillOpen);
        cause = newCause;
        attempt++;
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
