package io.penstock.spring.listener;

import io.penstock.client.PenstockException;
import io.penstock.protocol.ErrorCode;
import java.util.EnumSet;
import java.util.Set;

/** Tells what a broker, or its client, refuses however often it is asked. */
final class Refusals {
    /** What lies in the message or its topic. Bounds and disks that are full have room again some day. */
    private static final Set<ErrorCode> FINAL = EnumSet.of(
            ErrorCode.NOT_AUTHORIZED,
            ErrorCode.BAD_TOPIC,
            ErrorCode.BAD_MESSAGE,
            ErrorCode.MESSAGE_TOO_LONG,
            ErrorCode.BAD_FORMAT,
            ErrorCode.NOT_SUPPORTED,
            ErrorCode.BAD_TEXT,
            ErrorCode.BAD_KEY,
            ErrorCode.NO_STATE,
            ErrorCode.BAD_HEADER);

    private Refusals() {}

    static boolean isFinal(final RuntimeException thrown) {
        return thrown instanceof PenstockException refusal
                && refusal.errorCode() != null
                && FINAL.contains(refusal.errorCode());
    }
}
