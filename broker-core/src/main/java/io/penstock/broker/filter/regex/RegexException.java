package io.penstock.broker.filter.regex;

/** Refuses a regular expression; caught where the filter's text is at hand to say where it stands. */
public final class RegexException extends Exception {
    private static final long serialVersionUID = 1L;

    RegexException(final String message) {
        super(message);
    }
}
