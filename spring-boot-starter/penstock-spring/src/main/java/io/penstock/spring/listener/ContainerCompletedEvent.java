package io.penstock.spring.listener;

/** All messages have come of a container whose subscription has an end. They may still be in its queue. */
public final class ContainerCompletedEvent extends ContainerEvent {
    private static final long serialVersionUID = 1L;

    ContainerCompletedEvent(final PenstockListenerContainer container) {
        super(container);
    }
}
