package io.penstock.bench.match;

import java.util.Locale;

/** What filters ask for. */
enum MatchKind {
    /** One account each. */
    EQUALITY,
    /** A range of a number, of which each message is in one on the average. */
    RANGE,
    /** The first letters of a text, or letters within one. */
    TEXT,
    /** A quarter each of these, and of an account with a bound of a number. */
    MIXED;

    /** In options and figures. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether some of the filters are equalities, which a hash table finds. */
    boolean hasEqualities() {
        return this == EQUALITY || this == MIXED;
    }
}
