package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import java.time.Duration;

/** Durations that the protocol carries in milliseconds. */
final class Millis {
    private Millis() {}

    /** One of at most 24 days, of which zero means something of its own. */
    static int of(final String subject, final Duration time) {
        final long ms = millis(subject, time);
        if (ms > Integer.MAX_VALUE || ms < Integer.MIN_VALUE || (ms == 0 && !time.isZero())) {
            throw new IllegalArgumentException(
                    subject + ": out of range: " + time + " (use a millisecond to 24 days, or zero)");
        }
        return (int) ms;
    }

    /** How long a record stays. */
    static long ofExpiration(final String subject, final Duration time) {
        final long ms = millis(subject, time);
        if (ms < 1) {
            throw new PenstockException(
                    ErrorCode.BAD_MESSAGE,
                    subject + ": expiration is too small: " + time + " (use a millisecond or more)");
        }
        return ms;
    }

    private static long millis(final String subject, final Duration time) {
        try {
            return time.toMillis();
        } catch (final ArithmeticException e) {
            throw new IllegalArgumentException(subject + ": too long: " + time + " (use fewer days)", e);
        }
    }
}
