package io.penstock.spring.listener;

/** An attribute of a listener is wrong. The message names the attribute, what is wrong, and the remedy. */
public final class ListenerAttributeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String attribute;

    /**
     * Makes an exception.
     *
     * @param attribute that is wrong.
     * @param reason    with the value.
     * @param remedy    what to do.
     */
    public ListenerAttributeException(final String attribute, final String reason, final String remedy) {
        super(attribute + ": " + reason + " (" + remedy + ")");
        this.attribute = attribute;
    }

    /**
     * The attribute that is wrong.
     *
     * @return its name.
     */
    public String attribute() {
        return attribute;
    }
}
