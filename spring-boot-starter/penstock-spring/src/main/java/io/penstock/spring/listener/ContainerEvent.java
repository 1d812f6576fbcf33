package io.penstock.spring.listener;

import org.springframework.context.ApplicationEvent;

/** Something has happened to a container. Published on one of its threads. */
public abstract class ContainerEvent extends ApplicationEvent {
    private static final long serialVersionUID = 1L;

    ContainerEvent(final PenstockListenerContainer container) {
        super(container);
    }

    /**
     * The container.
     *
     * @return the source of the event.
     */
    public PenstockListenerContainer container() {
        return (PenstockListenerContainer) getSource();
    }
}
