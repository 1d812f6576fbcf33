package io.penstock.broker.filter.program;

import io.penstock.broker.filter.value.Comparing;
import io.penstock.broker.filter.value.ComparisonOperator;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Truth;

/** Functions that return one of their arguments. */
final class ChoiceFunctions {
    private ChoiceFunctions() {}

    static void coalesce(final Evaluation evaluation, final Register[] arguments, final Register target) {
        for (final Register argument : arguments) {
            if (!argument.isNull()) {
                target.set(argument);
                return;
            }
        }
        target.setNull();
    }

    static void nullIf(final Evaluation evaluation, final Register[] arguments, final Register target) {
        if (Comparing.truth(ComparisonOperator.EQUAL, arguments[0], arguments[1]) == Truth.TRUE) {
            target.setNull();
        } else {
            target.set(arguments[0]);
        }
    }

    /** IF: unknown chooses as false does. */
    static void choose(final Evaluation evaluation, final Register[] arguments, final Register target) {
        target.set(Comparing.condition(arguments[0]) == Truth.TRUE ? arguments[1] : arguments[2]);
    }

    static void min(final Evaluation evaluation, final Register[] arguments, final Register target) {
        extreme(arguments, ComparisonOperator.LESS, target);
    }

    static void max(final Evaluation evaluation, final Register[] arguments, final Register target) {
        extreme(arguments, ComparisonOperator.GREATER, target);
    }

    /** Values of different kinds have no least and no greatest. */
    private static void extreme(final Register[] arguments, final ComparisonOperator operator, final Register target) {
        Register result = arguments[0];
        for (int i = 1; i < arguments.length; i++) {
            if (Comparing.truth(operator, arguments[i], result) == Truth.TRUE) {
                result = arguments[i];
            } else if (!isComparable(arguments[i], result)) {
                target.setNull();
                return;
            }
        }
        target.set(result);
    }

    private static boolean isComparable(final Register left, final Register right) {
        return Comparing.truth(ComparisonOperator.LESS, left, right) == Truth.TRUE
                || Comparing.truth(ComparisonOperator.GREATER_OR_EQUAL, left, right) == Truth.TRUE;
    }
}
