package io.penstock.broker.sink;

import java.io.IOException;

/** The files of a sink have changed since they were written. */
public final class SinkDamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    SinkDamagedException(final String message) {
        super(message);
    }
}
