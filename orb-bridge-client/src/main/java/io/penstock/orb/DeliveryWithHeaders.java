package io.penstock.orb;

import java.io.Serializable;

/** A delivery and the headers of its message. Immutable as long as nobody writes to {@link #headers()}. */
public final class DeliveryWithHeaders implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Delivery message;
    private final Header[] headers;

    /**
     * Makes it.
     *
     * @param message a delivery.
     * @param headers of the message, in their order; not copied.
     */
    public DeliveryWithHeaders(final Delivery message, final Header[] headers) {
        this.message = message;
        this.headers = headers;
    }

    public Delivery message() {
        return message;
    }

    /**
     * The headers, in the order in which they were published.
     *
     * @return the array itself, not a copy; empty when the message has none.
     */
    public Header[] headers() {
        return headers;
    }

    @Override
    public String toString() {
        return message + " (" + headers.length + " headers)";
    }
}
