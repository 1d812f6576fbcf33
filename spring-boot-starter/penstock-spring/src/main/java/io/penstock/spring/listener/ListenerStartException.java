package io.penstock.spring.listener;

import org.jspecify.annotations.Nullable;

/** A listener cannot start. The message names the method, the attribute, what is wrong, and the remedy. */
public final class ListenerStartException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String listener;
    private final String attribute;

    /**
     * Makes an exception.
     *
     * @param listener  its method, or its id where it has none.
     * @param attribute that is wrong; empty when it is none of its attributes.
     * @param reason    with the value and the remedy.
     * @param cause     may be null.
     */
    public ListenerStartException(
            final String listener, final String attribute, final String reason, final @Nullable Throwable cause) {
        super(listener + ": " + (attribute.isEmpty() ? "" : attribute + ": ") + reason, cause);
        this.listener = listener;
        this.attribute = attribute;
    }

    /**
     * The listener.
     *
     * @return its method, or its id.
     */
    public String listener() {
        return listener;
    }

    /**
     * The attribute that is wrong.
     *
     * @return its name; empty when it is none of its attributes.
     */
    public String attribute() {
        return attribute;
    }
}
