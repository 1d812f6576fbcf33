package io.penstock.bench.match;

import java.util.Locale;

/** What filters ask for. */
enum MatchKind {
    /** One account each. */
    EQUALITY(0),
    /** A range of a number, of which each message is in one on the average. */
    RANGE(1),
    /** The first letters of a text, or letters within one. */
    TEXT(2),
    /** A quarter each of these, and of an account with a bound of a number. */
    MIXED(3);

    private static final int MIXED_COUNT = 4;

    private final int number;

    MatchKind(final int number) {
        this.number = number;
    }

    /** In commands of the C program. */
    int number() {
        return number;
    }

    /** What one of mixed filters asks for; an account with a bound is MIXED. */
    static MatchKind ofMixed(final int filter) {
        return switch (filter % MIXED_COUNT) {
            case 0 -> EQUALITY;
            case 1 -> RANGE;
            case 2 -> TEXT;
            default -> MIXED;
        };
    }

    /** In options and figures. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether some of the filters are equalities, which a hash table finds. */
    boolean hasEqualities() {
        return this == EQUALITY || this == MIXED;
    }
}
