package io.penstock.broker.filter.value;

/**
 * BETWEEN of numbers.
 *
 * @param low  the value is not below it.
 * @param high the value is not above it.
 */
public record NumberRangeTest(NumberTest low, NumberTest high) implements ValueTest {
    /** Bounds that are numbers, both included. */
    public static NumberRangeTest of(final Register low, final Register high) {
        return new NumberRangeTest(
                new NumberTest(ComparisonOperator.GREATER_OR_EQUAL, low),
                new NumberTest(ComparisonOperator.LESS_OR_EQUAL, high));
    }

    @Override
    public int truth(final Register value) {
        return Math.min(low.truth(value), high.truth(value));
    }
}
