package io.penstock.broker.query.scan;

import io.penstock.broker.filter.syntax.ConstantFolder;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.Comparing;
import io.penstock.broker.filter.value.ComparisonOperator;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Truth;
import io.penstock.broker.query.column.NumberForm;
import org.jspecify.annotations.Nullable;

/**
 * The numbers for which a comparison or a BETWEEN is true, or for which it is false, as a range of keys. The ends are
 * found by asking the comparison itself: of keys in order it is true up to one of them, or from one on.
 *
 * Confined to one agent.
 */
final class NumberRange {
    private final boolean isInverted;
    private final @Nullable Register low;
    private final @Nullable Register high;

    /** By the forms of numbers, once asked for. */
    private final @Nullable Keys[] keys = new Keys[NumberForm.COUNT];

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
     * Makes it.
     *
     * @param isInverted whether the condition is true outside of the range.
     * @param low        least number of the range, or null.
     * @param high       greatest one, or null.
     */
    private NumberRange(final boolean isInverted, final @Nullable Register low, final @Nullable Register high) {
        this.isInverted = isInverted;
        this.low = low;
        this.high = high;
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
            return low.isNumber() && high.isNumber() ? new NumberRange(false, low, high) : null;
        }
        if (!(node instanceof Node.Comparison comparison)) {
            return null;
        }
        final Register constant = ConstantFolder.constant(comparison.right());
        if (!constant.isNumber()) {
            return null;
        }
        return switch (comparison.operator()) {
            case EQUAL -> new NumberRange(false, constant, constant);
            case NOT_EQUAL -> new NumberRange(true, constant, constant);
            case GREATER_OR_EQUAL -> new NumberRange(false, constant, null);
            case LESS_OR_EQUAL -> new NumberRange(false, null, constant);
            case LESS -> new NumberRange(true, constant, null);
            case GREATER -> new NumberRange(true, null, constant);
        };
    }

    /** Whether the condition is true outside of the range, and not inside. */
    boolean isInverted() {
        return isInverted;
    }

    /** The keys in the range, of numbers of one form. */
    Keys keys(final int form) {
        Keys known = keys[form];
        if (known == null) {
            known = keysOf(form);
            keys[form] = known;
        }
        return known;
    }

    private Keys keysOf(final int form) {
        long first = NumberForm.keyMin(form);
        long last = NumberForm.keyMax(form);
        final boolean areAllBelow = low != null && is(ComparisonOperator.LESS, last, low, form);
        final boolean areAllAbove = high != null && !is(ComparisonOperator.LESS_OR_EQUAL, first, high, form);
        if (areAllBelow || areAllAbove) {
            return Keys.NONE;
        }
        if (high != null && !is(ComparisonOperator.LESS_OR_EQUAL, last, high, form)) {
            last = firstThatIsNot(ComparisonOperator.LESS_OR_EQUAL, first, last, high, form) - 1;
        }
        if (low != null) {
            if (is(ComparisonOperator.LESS, last, low, form)) {
                return Keys.NONE;
            }
            first = firstThatIsNot(ComparisonOperator.LESS, first, last, low, form);
        }
        return new Keys(first, last);
    }

    /** The first of some keys for which a comparison is not true that is true of low keys, and not of the last one. */
    private static long firstThatIsNot(
            final ComparisonOperator operator,
            final long first,
            final long last,
            final Register number,
            final int form) {
        long from = first;
        long to = last;
        while (from < to) {
            final long middle = from + ((to - from) >>> 1);
            if (is(operator, middle, number, form)) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    private static boolean is(
            final ComparisonOperator operator, final long key, final Register number, final int form) {
        final Register value = new Register();
        NumberForm.load(form, key, value);
        return Comparing.truth(operator, value, number) == Truth.TRUE;
    }
}
