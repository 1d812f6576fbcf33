package io.penstock.client;

/**
 * The client could not hand over a command in time, because the broker or the medium takes less than is published. The
 * command was not sent and may be repeated.
 */
public final class BackPressureException extends PenstockException {
    private static final long serialVersionUID = 1L;

    public BackPressureException(final String message) {
        super(message, null);
    }
}
