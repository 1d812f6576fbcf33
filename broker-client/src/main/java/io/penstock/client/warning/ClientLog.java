package io.penstock.client.warning;

import java.lang.System.Logger.Level;

/** Internal: reports for which there is no handler. They go wherever the program sends the JDK's own loggers. */
public final class ClientLog {
    private static final System.Logger LOGGER = System.getLogger("io.penstock.client");

    private ClientLog() {}

    /** Internal: a handler of the program threw, and the client went on. */
    public static void onHandlerFailure(final Object handler, final Throwable failure) {
        LOGGER.log(Level.WARNING, () -> "handler failed: " + handler, failure);
    }

    /** Internal: logs what helps to find a cause. */
    public static void debug(final String message) {
        LOGGER.log(Level.DEBUG, message);
    }

    /** Internal: warns. */
    public static void warn(final String message) {
        LOGGER.log(Level.WARNING, message);
    }

    /** Internal: warns, with the stack of the cause. */
    public static void warn(final String message, final Throwable cause) {
        LOGGER.log(Level.WARNING, message, cause);
    }
}
