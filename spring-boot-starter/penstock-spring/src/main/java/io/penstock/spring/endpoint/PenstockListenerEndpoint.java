package io.penstock.spring.endpoint;

import io.penstock.spring.listener.AckMode;
import io.penstock.spring.listener.ListenerSubscription;
import io.penstock.spring.listener.PenstockErrorHandler;
import io.penstock.spring.listener.PenstockMessageListener;
import org.jspecify.annotations.Nullable;

/**
 * A listener as it is declared: what it subscribes to, who is called, and what differs from the settings of its container
 * factory. Immutable.
 *
 * @param id           unique in the program.
 * @param description  of the listener in errors, its method for example.
 * @param subscription what to.
 * @param listener     who is called.
 * @param overrides    what differs.
 */
public record PenstockListenerEndpoint(
        String id,
        String description,
        ListenerSubscription subscription,
        PenstockMessageListener listener,
        Overrides overrides) {
    /**
     * What differs from the settings of the container factory; null where nothing does.
     *
     * @param concurrency   threads.
     * @param ackMode       when messages count as processed.
     * @param errorHandler  what decides when the listener threw.
     * @param isAutoStartup whether it starts with the context.
     */
    public record Overrides(
            @Nullable Integer concurrency,
            @Nullable AckMode ackMode,
            @Nullable PenstockErrorHandler errorHandler,
            @Nullable Boolean isAutoStartup) {
        /** Nothing differs. */
        public static final Overrides NONE = new Overrides(null, null, null, null);
    }

    /**
     * A listener that runs as its container factory says.
     *
     * @param id           unique in the program.
     * @param subscription what to.
     * @param listener     who is called.
     */
    public PenstockListenerEndpoint(
            final String id, final ListenerSubscription subscription, final PenstockMessageListener listener) {
        this(id, "listener " + id, subscription, listener, Overrides.NONE);
    }
}
