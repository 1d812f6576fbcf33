package io.penstock.client;

import java.lang.System.Logger.Level;

/** What has nobody to be told to. Goes wherever the program sends the JDK's own loggers. */
final class ClientLog {
    private static final System.Logger LOGGER = System.getLogger("io.penstock.client");

    private ClientLog() {}

    /** A handler of the program threw, and the client went on. */
    static void onHandlerFailure(final Object handler, final RuntimeException failure) {
        LOGGER.log(Level.WARNING, () -> "handler failed: " + handler, failure);
    }

    static void warn(final String message) {
        LOGGER.log(Level.WARNING, message);
    }

    static void warn(final String message, final Throwable cause) {
        LOGGER.log(Level.WARNING, message, cause);
    }
}
