package io.penstock.client;

/** The broker did not answer a command in time. The command may have been applied. */
public final class NoReplyException extends PenstockException {
    private static final long serialVersionUID = 1L;

    public NoReplyException(final String message) {
        super(message, null);
    }
}
