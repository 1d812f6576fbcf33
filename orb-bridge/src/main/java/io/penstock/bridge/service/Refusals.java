package io.penstock.bridge.service;

import io.penstock.client.BackPressureException;
import io.penstock.client.NoReplyException;
import io.penstock.client.PenstockException;
import io.penstock.orb.BrokerException;
import io.penstock.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Makes refusals for clients of what the Java client throws. */
final class Refusals {
    private static final String NOT_CONNECTED = "NOT_CONNECTED";

    private Refusals() {}

    static BrokerException of(final ErrorCode code, final String text) {
        return new BrokerException(code.code(), code.name(), text);
    }

    /** A session has no subscription or query of that number. */
    static BrokerException unknown(final String what, final long id) {
        return of(
                ErrorCode.UNKNOWN_SUBSCRIPTION,
                what + ": not in this session: " + id
                        + " (it was ended, or nothing was heard of its client for too long; make it again)");
    }

    static void checkMax(final String what, final int max) throws BrokerException {
        if (max < 1) {
            throw of(ErrorCode.BAD_QUERY, what + ": max is too small: " + max + " (use 1 or more)");
        }
    }

    /** A client has made a value by other means than the methods of its class. */
    static BrokerException notWhole(final String what) {
        return of(ErrorCode.BAD_TEXT, what + ": is not whole (make it by the methods of its class)");
    }

    static BrokerException noAnswer() {
        return of(
                ErrorCode.TIMED_OUT,
                "bridge: the broker did not answer in time; it may have applied the request (try again, or configure a"
                        + " longer callTimeoutMs)");
    }

    static BrokerException of(final @Nullable Throwable reason) {
        if (reason instanceof PenstockException known) {
            final String text = String.valueOf(known.getMessage());
            final ErrorCode code = known.errorCode();
            if (code != null) {
                return of(code, text);
            }
            if (known instanceof NoReplyException || known instanceof BackPressureException) {
                return of(ErrorCode.TIMED_OUT, text);
            }
            return new BrokerException(0, NOT_CONNECTED, text);
        }
        return of(ErrorCode.INTERNAL_ERROR, "bridge: failed: " + reason);
    }
}
