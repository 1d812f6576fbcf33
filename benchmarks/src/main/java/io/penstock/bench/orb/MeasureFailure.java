package io.penstock.bench.orb;

/** Nothing could be measured. Its message says why. */
final class MeasureFailure extends Exception {
    private static final long serialVersionUID = 1L;

    MeasureFailure(final String message) {
        super(message);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
