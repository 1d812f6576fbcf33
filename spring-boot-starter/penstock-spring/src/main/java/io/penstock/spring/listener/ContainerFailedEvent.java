package io.penstock.spring.listener;

/** The subscription of a container has ended, or could not be made. The container tries again. */
public final class ContainerFailedEvent extends ContainerEvent {
    private static final long serialVersionUID = 1L;

    private final RuntimeException reason;

    ContainerFailedEvent(final PenstockListenerContainer container, final RuntimeException reason) {
        super(container);
        this.reason = reason;
    }

    /**
     * Why.
     *
     * @return what the client or the broker said.
     */
    public RuntimeException reason() {
        return reason;
    }
}
