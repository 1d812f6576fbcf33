package io.penstock.broker.session;

import io.penstock.protocol.ErrorCode;

/** A command is refused: it ends where this is thrown, and its client is told. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final ErrorCode code;
    final String text;

    Refusal(final ErrorCode code, final String text) {
        super(text, null, false, false);
        this.code = code;
        this.text = text;
    }
}
