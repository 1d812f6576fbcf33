package io.penstock.broker.filter.value;

import io.penstock.format.FieldType;

/** Compares values. Those of different kinds are not equal, and neither comes before the other. */
public final class Comparing {
    private Comparing() {}

    public static int truth(final ComparisonOperator operator, final Register left, final Register right) {
        if (left.isUnknown() || right.isUnknown()) {
            return Truth.UNKNOWN;
        }
        if (left.isText() && right.isText()) {
            return Truth.of(operator.accepts(Texts.compare(left, right)));
        }
        if (left.isNumber() || right.isNumber()) {
            return numbers(operator, left, right);
        }
        if (left.type() == FieldType.BOOLEAN || right.type() == FieldType.BOOLEAN) {
            return booleans(operator, left, right);
        }
        return different(operator);
    }

    private static int numbers(final ComparisonOperator operator, final Register left, final Register right) {
        if (left.hasNumber() && right.hasNumber()) {
            return Truth.of(operator.accepts(Numbers.compare(left, right)));
        }
        return isUntyped(left, right) ? Truth.UNKNOWN : different(operator);
    }

    private static int booleans(final ComparisonOperator operator, final Register left, final Register right) {
        final int leftTruth = condition(left);
        final int rightTruth = condition(right);
        if (leftTruth != Truth.UNKNOWN && rightTruth != Truth.UNKNOWN) {
            return Truth.of(operator.accepts(leftTruth - rightTruth));
        }
        return isUntyped(left, right) ? Truth.UNKNOWN : different(operator);
    }

    /** An untyped text that cannot be read as what it is compared with says nothing. */
    private static boolean isUntyped(final Register left, final Register right) {
        return left.type() == FieldType.UNTYPED || right.type() == FieldType.UNTYPED;
    }

    private static int different(final ComparisonOperator operator) {
        return Truth.of(operator == ComparisonOperator.NOT_EQUAL);
    }

    /** The truth of a value that stands as a condition. */
    public static int condition(final Register value) {
        return switch (value.type()) {
            case BOOLEAN -> Truth.of(value.booleanValue());
            case UNTYPED -> Untyped.condition(value);
            default -> Truth.UNKNOWN;
        };
    }
}
