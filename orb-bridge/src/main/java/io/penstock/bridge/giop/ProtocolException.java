package io.penstock.bridge.giop;

/** A peer does not keep to GIOP, so that nothing it sends can be understood any more: the connection ends. Without stack. */
public final class ProtocolException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param message what is wrong.
     */
    public ProtocolException(final String message) {
        super("GIOP: " + message, null, false, false);
    }
}
