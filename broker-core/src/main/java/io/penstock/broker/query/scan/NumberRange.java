package io.penstock.broker.query.scan;

import io.penstock.broker.filter.syntax.ConstantFolder;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.Comparing;
import io.penstock.broker.filter.value.ComparisonOperator;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Truth;
import io.penstock.broker.query.column.NumberKeys;
import org.jspecify.annotations.Nullable;

/**
 * The numbers for which a comparison or a BETWEEN is true, or for which it is false, as a range of keys. The ends are
 * found by asking the comparison itself: of keys in order it is true up to one of them, or from one on.
 *
 * @param isInverted whether it is true outside of the range.
 * @param integers   range of integers.
 * @param reals      range of keys of doubles.
 */
record NumberRange(boolean isInverted, Keys integers, Keys reals) {
    /**
     * A range of keys.
     *
     * @param low  the least one.
     * @param high the greatest one; less than the least one when there is none.
     */
    record Keys(long low, long high) {
        private static final Keys NONE = new Keys(1, 0);
    }

    /**
     * The range of a condition.
     *
     * @param node that holds a value against literals.
     * @return null when not all of them are numbers, or it is no comparison and no BETWEEN.
     */
    static @Nullable NumberRange of(final Node node) {
        if (node instanceof Node.Between between) {
            final Register low = ConstantFolder.constant(between.low());
            final Register high = ConstantFolder.constant(between.high());
            return low.isNumber() && high.isNumber() ? of(false, low, high) : null;
        }
        if (!(node instanceof Node.Comparison comparison)) {
            return null;
        }
        final Register constant = ConstantFolder.constant(comparison.right());
        if (!constant.isNumber()) {
            return null;
        }
        return switch (comparison.operator()) {
            case EQUAL -> of(false, constant, constant);
            case NOT_EQUAL -> of(true, constant, constant);
            case GREATER_OR_EQUAL -> of(false, constant, null);
            case LESS_OR_EQUAL -> of(false, null, constant);
            case LESS -> of(true, constant, null);
            case GREATER -> of(true, null, constant);
        };
    }

    /** The keys of one kind. */
    Keys keys(final boolean isReal) {
        return isReal ? reals : integers;
    }

    private static NumberRange of(
            final boolean isInverted, final @Nullable Register low, final @Nullable Register high) {
        return new NumberRange(isInverted, keys(low, high, false), keys(low, high, true));
    }

    private static Keys keys(final @Nullable Register low, final @Nullable Register high, final boolean isReal) {
        long first = isReal ? NumberKeys.REAL_MIN : Long.MIN_VALUE;
        long last = isReal ? NumberKeys.REAL_MAX : Long.MAX_VALUE;
        final boolean areAllBelow = low != null && is(ComparisonOperator.LESS, last, low, isReal);
        final boolean areAllAbove = high != null && !is(ComparisonOperator.LESS_OR_EQUAL, first, high, isReal);
        if (areAllBelow || areAllAbove) {
            return Keys.NONE;
        }
        if (high != null && !is(ComparisonOperator.LESS_OR_EQUAL, last, high, isReal)) {
            last = firstThatIsNot(ComparisonOperator.LESS_OR_EQUAL, first, last, high, isReal) - 1;
        }
        if (low != null) {
            if (is(ComparisonOperator.LESS, last, low, isReal)) {
                return Keys.NONE;
            }
            first = firstThatIsNot(ComparisonOperator.LESS, first, last, low, isReal);
        }
        return new Keys(first, last);
    }

    /** The first of some keys for which a comparison is not true that is true of low keys, and not of the last one. */
    private static long firstThatIsNot(
            final ComparisonOperator operator,
            final long first,
            final long last,
            final Register number,
            final boolean isReal) {
        long low = first;
        long high = last;
        while (low < high) {
            final long middle = low + ((high - low) >>> 1);
            if (is(operator, middle, number, isReal)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static boolean is(
            final ComparisonOperator operator, final long key, final Register number, final boolean isReal) {
        final Register value = new Register();
        if (isReal) {
            value.set(NumberKeys.real(key));
        } else {
            value.set(key);
        }
        return Comparing.truth(operator, value, number) == Truth.TRUE;
    }
}
