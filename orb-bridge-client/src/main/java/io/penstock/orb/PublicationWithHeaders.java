package io.penstock.orb;

import java.io.Serializable;

/** A message to be published, and its headers. Immutable as long as nobody writes to {@link #headers()}. */
public final class PublicationWithHeaders implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Publication message;
    private final Header[] headers;

    /**
     * Makes it.
     *
     * @param message to be published.
     * @param headers of the message, in their order, maybe none; not copied.
     */
    public PublicationWithHeaders(final Publication message, final Header[] headers) {
        this.message = message;
        this.headers = headers;
    }

    public Publication message() {
        return message;
    }

    /**
     * The headers, in the order in which they are published.
     *
     * @return the array itself, not a copy; empty when the message has none.
     */
    public Header[] headers() {
        return headers;
    }
}
