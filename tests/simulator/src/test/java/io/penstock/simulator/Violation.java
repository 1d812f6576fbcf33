package io.penstock.simulator;

/** The broker has broken a promise. */
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1;

    Violation(final String message) {
        super(message);
    }

    Violation(final String message, final Throwable cause) {
        super(message, cause);
    }
}
