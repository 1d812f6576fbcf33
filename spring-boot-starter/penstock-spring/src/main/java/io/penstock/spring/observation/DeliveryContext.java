package io.penstock.spring.observation;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.penstock.client.Message;
import io.penstock.format.header.HeaderType;
import io.penstock.format.header.Headers;
import org.jspecify.annotations.Nullable;

/** What is known of a message that was delivered to a listener; the trace is read from its headers. */
public final class DeliveryContext extends ReceiverContext<Message> {
    private final Message message;
    private final String listenerId;
    private final int attempt;

    /**
     * Makes a context.
     *
     * @param message    that was delivered.
     * @param listenerId of the listener.
     * @param attempt    how often the listener was called with it, from 1.
     */
    public DeliveryContext(final Message message, final String listenerId, final int attempt) {
        super(DeliveryContext::header, Kind.CONSUMER);
        this.message = message;
        this.listenerId = listenerId;
        this.attempt = attempt;
        setCarrier(message);
        setRemoteServiceName("penstock");
    }

    private static @Nullable String header(final Message carrier, final String name) {
        final Headers headers = carrier.headers();
        return headers.type(name) == HeaderType.TEXT ? headers.text(name) : null;
    }

    /**
     * The message.
     *
     * @return as it was delivered.
     */
    public Message message() {
        return message;
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
     * How often the listener was called with the message.
     *
     * @return from 1.
     */
    public int attempt() {
        return attempt;
    }
}
