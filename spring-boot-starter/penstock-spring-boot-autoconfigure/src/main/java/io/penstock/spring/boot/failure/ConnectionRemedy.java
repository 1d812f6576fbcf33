package io.penstock.spring.boot.failure;

import io.penstock.client.ConnectionException;
import io.penstock.protocol.ErrorCode;

/** What to do when a broker cannot be reached, or has refused the client. */
final class ConnectionRemedy {
    private ConnectionRemedy() {}

    static String of(final ConnectionException failure) {
        final ErrorCode code = failure.errorCode();
        if (code == ErrorCode.AUTHENTICATION_FAILED || code == ErrorCode.NOT_AUTHORIZED) {
            return "Set penstock.user and penstock.password to those of a user that the broker knows, or leave them out if"
                    + " it knows none.";
        }
        if (code == ErrorCode.REPLACED) {
            return "Give each program a penstock.name of its own.";
        }
        return code == null || code == ErrorCode.SHUTTING_DOWN || code == ErrorCode.TIMED_OUT
                ? "Start a broker there, or set penstock.servers to where one is."
                : "See why the broker there refuses this client.";
    }
}
