package io.penstock.broker.session.text;

import io.penstock.protocol.ErrorCode;

/** A command is refused: it ends where this is thrown, and its client is notified. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final String text;

    /** Has no stack: it is no failure. */
    public Refusal(final ErrorCode code, final String text) {
        super(text, null, false, false);
        this.code = code;
        this.text = text;
    }

    /** The error code, for programs. */
    public ErrorCode code() {
        return code;
    }

    /** The error text, for people. */
    public String text() {
        return text;
    }
}
