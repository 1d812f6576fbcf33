package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.ColumnKind;

/**
 * How an order brings the values of its first field: booleans before numbers before texts, or the other way round.
 *
 * @param isDescending whether greater values come first.
 * @param isNullFirst  whether nulls come before all values.
 * @param isOnlyTerm   whether equal values are in the order of their rows.
 */
public record TopOrder(boolean isDescending, boolean isNullFirst, boolean isOnlyTerm) {
    /** Whether all values of a kind come before those of another one; both kinds differ, and neither is an object. */
    boolean isBefore(final int kind, final int other) {
        if (kind == ColumnKind.NULL) {
            return isNullFirst;
        }
        return kind != other && isDescending == rank(kind) > rank(other);
    }

    private static int rank(final int kind) {
        return switch (kind) {
            case ColumnKind.TEXT -> 2;
            case ColumnKind.NUMBER -> 1;
            default -> 0;
        };
    }
}
