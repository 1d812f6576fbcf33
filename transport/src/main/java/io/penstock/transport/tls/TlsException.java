package io.penstock.transport.tls;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Something that is wrong with TLS; its message says what, why and what helps. */
public final class TlsException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * With a message that is complete.
     *
     * @param message for people.
     */
    public TlsException(final String message) {
        super(message);
    }

    /**
     * With what has led to it.
     *
     * @param message for people.
     * @param cause   for programmers.
     */
    public TlsException(final String message, final @Nullable Throwable cause) {
        super(message, cause);
    }
}
