package io.penstock.orb.pool;

import java.io.IOException;

/** The other side closes connections that are to be shared. */
final class NotSharedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotSharedException(final String message) {
        super(message);
    }
}
