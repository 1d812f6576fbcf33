package io.penstock.orb.chunk;

import java.io.IOException;

/** The other side does not keep to the protocol; it is told so, and the connection ends. */
final class WrongFrameException extends IOException {
    private static final long serialVersionUID = 1L;

    WrongFrameException(final String message) {
        super(message);
    }
}
