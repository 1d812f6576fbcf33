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
