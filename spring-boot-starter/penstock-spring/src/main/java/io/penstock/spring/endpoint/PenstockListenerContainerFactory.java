package io.penstock.spring.endpoint;

import io.penstock.client.ClientConfig;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.endpoint.PenstockListenerEndpoint.Overrides;
import io.penstock.spring.listener.ContainerSettings;
import io.penstock.spring.listener.ListenerAttributeException;
import io.penstock.spring.listener.ListenerStartException;
import io.penstock.spring.listener.PenstockListenerContainer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;

/**
 * Makes containers of listeners, all with the same connection and settings except what a listener says of its own. Set up
 * before the context starts.
 */
public final class PenstockListenerContainerFactory implements ApplicationEventPublisherAware {
    /** The name of the bean that listeners use unless they name another one. */
    public static final String BEAN_NAME = "penstockListenerContainerFactory";

    /** Least that a message takes of the credit, in bytes. */
    private static final int MESSAGE_LENGTH_MIN = 48;

    /** Messages that may be open beside those with credit. */
    private static final int OPEN_SLACK = 256;

    private final PenstockConnection connection;
    private final ContainerSettings settings = new ContainerSettings();
    private List<String> errorHandlers = List.of();
    private int openLimit = ClientConfig.STREAM_LIMIT_DEFAULT;
    private @Nullable ApplicationEventPublisher events;

    /**
     * Makes a factory.
     *
     * @param connection that the containers' clients come from.
     */
    public PenstockListenerContainerFactory(final PenstockConnection connection) {
        this.connection = connection;
    }

    /**
     * The settings of containers that are made from now on.
     *
     * @return to be changed.
     */
    public ContainerSettings getSettings() {
        return settings;
    }

    /** The connection of the containers. */
    public PenstockConnection getConnection() {
        return connection;
    }

    /**
     * Says how many messages of a durable subscription may be open at the client, which has to be told when its
     * configuration has another {@code streamLimit} than the default.
     *
     * @param limit of the shared client's configuration.
     */
    public void setOpenLimit(final int limit) {
        openLimit = limit;
    }

    /**
     * Says which error handlers there are to choose from when none was set. With several, listeners that do not name one
     * are refused.
     *
     * @param names of the beans.
     */
    public void setErrorHandlerNames(final List<String> names) {
        errorHandlers = List.copyOf(names);
    }

    @Override
    public void setApplicationEventPublisher(final ApplicationEventPublisher publisher) {
        events = publisher;
    }

    /**
     * Makes a container, which is not started.
     *
     * @param endpoint the listener.
     * @return a container.
     * @throws ListenerStartException when an attribute is wrong.
     */
    public PenstockListenerContainer createContainer(final PenstockListenerEndpoint endpoint) {
        try {
            return create(endpoint);
        } catch (final ListenerAttributeException e) {
            throw new ListenerStartException(endpoint.description(), "", String.valueOf(e.getMessage()), e);
        }
    }

    private PenstockListenerContainer create(final PenstockListenerEndpoint endpoint) {
        final ContainerSettings own = settings.copy();
        final Overrides overrides = endpoint.overrides();
        if (overrides.concurrency() != null) {
            own.setConcurrency(overrides.concurrency());
        }
        if (overrides.ackMode() != null) {
            own.setAckMode(overrides.ackMode());
        }
        if (overrides.errorHandler() != null) {
            own.setErrorHandler(overrides.errorHandler());
        } else if (own.getErrorHandler() == null && errorHandlers.size() > 1) {
            throw new ListenerAttributeException(
                    "errorHandler",
                    "is not given, and there are several beans: " + String.join(", ", errorHandlers),
                    "name one, or mark one of them @Primary");
        }
        if (overrides.isAutoStartup() != null) {
            own.setAutoStartup(overrides.isAutoStartup());
        }
        final long creditMax = Math.max(1L, openLimit - OPEN_SLACK) * MESSAGE_LENGTH_MIN;
        if (endpoint.subscription().isDurable() && endpoint.subscription().credit() > creditMax) {
            throw new ListenerAttributeException(
                    "credit",
                    "is more than the client may have open of a durable subscription: "
                            + endpoint.subscription().credit(),
                    "use at most " + creditMax + " bytes, or raise the client's streamLimit");
        }
        final PenstockListenerContainer container = new PenstockListenerContainer(
                endpoint.id(), endpoint.description(), connection, endpoint.subscription(), endpoint.listener(), own);
        if (events != null) {
            container.setApplicationEventPublisher(events);
        }
        return container;
    }
}
