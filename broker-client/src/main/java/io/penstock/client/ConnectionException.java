package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/** There is no connection to the broker: it could not be made, it was lost, or the client was closed. */
public final class ConnectionException extends PenstockException {
    private static final long serialVersionUID = 1L;

    /**
     * The connection could not be made or broke.
     *
     * @param message endpoint, reason and remedy.
     * @param cause   of it, when there is one.
     */
    public ConnectionException(final String message, final @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * The broker ended the connection.
     *
     * @param errorCode why.
     * @param message   endpoint, reason and remedy.
     */
    public ConnectionException(final @Nullable ErrorCode errorCode, final String message) {
        super(errorCode, message);
    }

    private ConnectionException(final ConnectionException same) {
        super(same);
    }

    @Override
    public ConnectionException onCallersThread() {
        return new ConnectionException(this);
    }
}
