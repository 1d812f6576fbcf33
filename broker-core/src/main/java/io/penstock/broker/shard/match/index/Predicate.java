package io.penstock.broker.shard.match.index;

import org.jspecify.annotations.Nullable;

/**
 * A statement on the value of one field, of which the index can tell at once whether it is true.
 *
 * @param slot    of the field in messages' readers.
 * @param kind    of it.
 * @param low     the number, or the lowest order key.
 * @param high    the highest order key.
 * @param bytes   the text; null for kinds without one.
 * @param isExact whether the test that it stands for is true as well where it is, of a value that is no array.
 */
@SuppressWarnings("ArrayRecordComponent")
record Predicate(int slot, PredicateKind kind, long low, long high, byte @Nullable [] bytes, boolean isExact) {
    static final byte[] NO_BYTES = {};

    static Predicate of(final int slot, final PredicateKind kind, final boolean isExact) {
        return new Predicate(slot, kind, 0, 0, null, isExact);
    }

    static Predicate ofNumber(final int slot, final PredicateKind kind, final long number) {
        return new Predicate(slot, kind, number, 0, null, true);
    }

    static Predicate ofText(final int slot, final PredicateKind kind, final byte[] text, final boolean isExact) {
        return new Predicate(slot, kind, 0, 0, text, isExact);
    }

    static Predicate ofRange(
            final int slot, final PredicateKind kind, final long low, final long high, final boolean isExact) {
        return new Predicate(slot, kind, low, high, null, isExact);
    }

    byte[] text() {
        return bytes == null ? NO_BYTES : bytes;
    }
}
