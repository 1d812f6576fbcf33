package io.penstock.orb.chunk;

import java.io.IOException;

/** The other side breaks the protocol; it gets the reason, and the connection ends. */
final class WrongFrameException extends IOException {
    private static final long serialVersionUID = 1L;

    WrongFrameException(final String message) {
        super(message);
    }
}
