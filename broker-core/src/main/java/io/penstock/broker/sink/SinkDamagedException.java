package io.penstock.broker.sink;

import java.io.IOException;

/** The files of a sink are not what was written to them. */
public final class SinkDamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    SinkDamagedException(final String message) {
        super(message);
    }
}
