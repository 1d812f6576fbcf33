package io.penstock.spring.listener;

import java.time.Duration;

/** No message has come to a container for a while. */
public final class ContainerIdleEvent extends ContainerEvent {
    private static final long serialVersionUID = 1L;

    private final Duration idleTime;

    ContainerIdleEvent(final PenstockListenerContainer container, final Duration idleTime) {
        super(container);
        this.idleTime = idleTime;
    }

    /**
     * How long none has come.
     *
     * @return since the last message, or since it started.
     */
    public Duration idleTime() {
        return idleTime;
    }
}
