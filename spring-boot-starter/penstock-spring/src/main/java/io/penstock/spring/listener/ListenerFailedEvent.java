package io.penstock.spring.listener;

import java.util.List;

/** A listener threw, and the error handler has decided. */
public final class ListenerFailedEvent extends ContainerEvent {
    private static final long serialVersionUID = 1L;

    private final transient List<Delivery> deliveries;
    private final Throwable cause;
    private final int attempt;
    private final transient PenstockErrorHandler.Decision decision;

    ListenerFailedEvent(
            final PenstockListenerContainer container,
            final ListenerFailure failure,
            final PenstockErrorHandler.Decision decision) {
        super(container);
        deliveries = failure.deliveries();
        cause = failure.cause();
        attempt = failure.attempt();
        this.decision = decision;
    }

    /** The messages that the listener was called with. */
    public List<Delivery> deliveries() {
        return deliveries;
    }

    /** What it threw. */
    public Throwable cause() {
        return cause;
    }

    /** How often it was called with them, from 1. */
    public int attempt() {
        return attempt;
    }

    /** How it goes on. */
    public PenstockErrorHandler.Decision decision() {
        return decision;
    }
}
