package io.penstock.broker;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.security.GateReports;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.status.AtomicCounter;

/** Counts what stands in the way of the gate's decisions, and reports it to the operator. Used from any thread. */
final class ReportedDecisions implements GateReports {
    private final ErrorHandler errors;
    private final EventLog events;
    private final AtomicCounter authorizerFailures;
    private final AtomicCounter filtersTooLong;

    /**
     * Nothing so far.
     *
     * @param errors   gets what is thrown.
     * @param events   for the operator.
     * @param counters of the broker.
     */
    ReportedDecisions(final ErrorHandler errors, final EventLog events, final BrokerCounters counters) {
        this.errors = errors;
        this.events = events;
        authorizerFailures = counters.newCounter("broker", "authorizerFailures");
        filtersTooLong = counters.newCounter("broker", "filtersTooLong");
    }

    @Override
    public void onError(final Throwable error) {
        errors.onError(error);
    }

    @Override
    public void onAuthorizerFailed(final Throwable error) {
        authorizerFailures.increment();
        errors.onError(error);
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
}
