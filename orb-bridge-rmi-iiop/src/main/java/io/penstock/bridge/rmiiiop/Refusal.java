package io.penstock.bridge.rmiiiop;

import io.penstock.orb.BrokerException;
import io.penstock.protocol.ErrorCode;

/** Makes the exceptions that clients get. */
final class Refusal {
    private Refusal() {}

    static BrokerException of(final ErrorCode code, final String text) {
        return new BrokerException(code.code(), code.name(), text);
    }
}
