package io.penstock.broker.history;

import io.penstock.protocol.ErrorCode;

/** State as it was cannot be made, for a reason that is its client's to know. */
final class HistoryRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    final ErrorCode code;
    final String text;

    HistoryRefusedException(final ErrorCode code, final String text) {
        super(text);
        this.code = code;
        this.text = text;
    }
}
