package io.penstock.broker.security;

import org.agrona.ErrorHandler;

/** Where the gate says what stands in the way of decisions. Called by any thread; must not block. */
public interface GateReports extends ErrorHandler {
    /**
     * An {@link Authorizer} has failed, or has said what cannot be: whatever it was asked for is refused.
     *
     * @param error that it has thrown, or what is wrong with its answer.
     */
    default void onAuthorizerFailed(final Throwable error) {
        onError(error);
    }

    /**
     * The filters of the rules that are about something are too long together, so that it is denied.
     *
     * @param user  whose rules they are.
     * @param about what it was to do, and with which topic, for people.
     */
    default void onFiltersTooLong(final String user, final String about) {
        // Who asked is told.
    }
}
