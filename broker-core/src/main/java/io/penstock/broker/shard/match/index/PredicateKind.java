package io.penstock.broker.shard.match.index;

/** Kinds of predicates, each with the share of messages of which one is true while nothing better is known. */
enum PredicateKind {
    /** Equals an integer of 64 bits. */
    NUMBER(0.001, true),
    /** Equals a number that is no such integer. */
    REAL(0.001, true),
    /** Equals a text. */
    TEXT(0.001, true),
    PREFIX(0.005, false),
    SUFFIX(0.005, false),
    /** Numbers between two. */
    RANGE(0.05, false),
    /** Texts between two. */
    TEXT_RANGE(0.05, false),
    CONTAINS(0.02, false),
    TRUE(0.4, false),
    FALSE(0.4, false),
    NULL(0.5, false),
    /** There is a value. */
    EXISTS(0.9, false),
    /** There is an array. */
    ARRAY(0.001, false),
    /** Of every message. */
    ALWAYS(1, false);

    /** Kinds of which a field has one predicate at most. */
    static final int FIXED_COUNT = 5;

    private static final double SHARE_OF_HALF_RANGE = 0.4;
    private static final double SHARE_OF_SHORT_TEXT = 0.05;

    private final double share;
    private final boolean isExclusive;

    PredicateKind(final double share, final boolean isExclusive) {
        this.share = share;
        this.isExclusive = isExclusive;
    }

    /** Whether of all predicates of a field just one can be true of a value. */
    boolean isExclusive() {
        return isExclusive;
    }

    /** Its place among the kinds of which a field has one predicate at most. */
    int fixedPlace() {
        return switch (this) {
            case TRUE -> 0;
            case FALSE -> 1;
            case NULL -> 2;
            case EXISTS -> 3;
            case ARRAY -> 4;
            default -> throw new IllegalStateException("predicate: a field may have several: " + this);
        };
    }

    double share() {
        return share;
    }

    double share(final Predicate predicate) {
        return switch (this) {
            case RANGE, TEXT_RANGE ->
                predicate.low() == Long.MIN_VALUE || predicate.high() == Long.MAX_VALUE ? SHARE_OF_HALF_RANGE : share;
            case PREFIX, SUFFIX, CONTAINS ->
                switch (predicate.text().length) {
                    case 1 -> 10 * SHARE_OF_SHORT_TEXT;
                    case 2 -> SHARE_OF_SHORT_TEXT;
                    default -> share;
                };
            default -> share;
        };
    }
}
