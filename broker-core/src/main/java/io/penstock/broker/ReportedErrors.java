package io.penstock.broker;

import io.penstock.broker.concurrent.ErrorLog;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import org.agrona.ErrorHandler;

/** Writes exceptions into the error log, and reports them to the operator. */
final class ReportedErrors implements ErrorHandler {
    private static final String OUT_OF_DESCRIPTORS = "too many open files";

    private final ErrorLog errorLog;
    private final EventLog events;

    ReportedErrors(final ErrorLog errorLog, final EventLog events) {
        this.errorLog = errorLog;
        this.events = events;
    }

    @Override
    public void onError(final Throwable error) {
        errorLog.onError(error);
        if (isOutOfDescriptors(error)) {
            events.report(EventKind.OUT_OF_DESCRIPTORS, "reason", String.valueOf(error.getMessage()));
        } else {
            events.report(
                    EventKind.ERROR,
                    "exception",
                    error.getClass().getName(),
                    "reason",
                    String.valueOf(error.getMessage()),
                    "at",
                    place(error));
        }
    }

    /** The JDK says it in the system's words alone. */
    private static boolean isOutOfDescriptors(final Throwable error) {
        return (error instanceof IOException || error instanceof UncheckedIOException)
                && String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT).contains(OUT_OF_DESCRIPTORS);
    }

    private static String place(final Throwable error) {
        final StackTraceElement[] stack = error.getStackTrace();
        return stack.length == 0 ? "" : stack[0].toString();
    }
}
