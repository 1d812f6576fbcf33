package io.penstock.standalone.conformance;

/** The result of a filter for a message, or of the compiler for a text. */
enum Outcome {
    MATCHES("true"),
    DOES_NOT_MATCH("false"),
    VALID("valid"),
    INVALID("invalid");

    private final String spelling;

    Outcome(final String spelling) {
        this.spelling = spelling;
    }

    static Outcome ofSpelling(final String spelling) {
        for (final Outcome outcome : values()) {
            if (outcome.spelling.equals(spelling)) {
                return outcome;
            }
        }
        throw new IllegalArgumentException("expected: not true, false, valid or invalid: " + spelling);
    }

    /** Returns whether this is what was expected; a text that was to be valid may also have been evaluated. */
    boolean meets(final Outcome expected) {
        return this == expected || (expected == VALID && this != INVALID);
    }

    @Override
    public String toString() {
        return spelling;
    }
}
