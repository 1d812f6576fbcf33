package io.penstock.spring.boot.embedded;

/** The embedded broker cannot listen, or cannot use its files. */
public final class EmbeddedBrokerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * It did not start.
     *
     * @param cause with what is wrong, and the remedy.
     */
    public EmbeddedBrokerException(final RuntimeException cause) {
        super("penstock.embedded: the broker did not start: " + cause.getMessage(), cause);
    }
}
