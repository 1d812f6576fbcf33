package io.penstock.broker;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.ErrorLog;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.security.GateReports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Writes exceptions into the error log, and reports them to the operator; likewise what stands in the way of the gate's decisions,
 * which it counts. Used from any thread.
 */
final class ReportedErrors implements GateReports {
    private static final String OUT_OF_DESCRIPTORS = "too many open files";

    private final ErrorLog errorLog;
    private final EventLog events;
    private final AtomicCounter authorizerFailures;
    private final AtomicCounter filtersTooLong;

    ReportedErrors(final ErrorLog errorLog, final EventLog events, final BrokerCounters counters) {
        this.errorLog = errorLog;
        this.events = events;
        authorizerFailures = counters.newCounter("broker", "authorizerFailures");
        filtersTooLong = counters.newCounter("broker", "filtersTooLong");
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

    @Override
    public void onAuthorizerFailed(final Throwable error) {
        authorizerFailures.increment();
        onError(error);
        events.report(
                EventKind.AUTHORIZER_FAILED,
                "exception",
                error.getClass().getName(),
                "reason",
                String.valueOf(error.getMessage()),
                "remedy",
                "mend the Authorizer; what it was asked for is refused");
    }

    @Override
    public void onFiltersTooLong(final String user, final String about) {
        filtersTooLong.increment();
        events.report(
                EventKind.FILTERS_TOO_LONG,
                "user",
                user,
                "denied",
                about,
                "remedy",
                "give the roles of the user fewer or shorter filters");
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
