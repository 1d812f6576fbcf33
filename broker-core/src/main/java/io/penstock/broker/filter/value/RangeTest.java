package io.penstock.broker.filter.value;

/**
 * BETWEEN.
 *
 * @param low  bound, included.
 * @param high bound, included.
 */
public record RangeTest(Register low, Register high) implements ValueTest {
    @Override
    public int truth(final Register value) {
        return Math.min(
                Comparing.truth(ComparisonOperator.GREATER_OR_EQUAL, value, low),
                Comparing.truth(ComparisonOperator.LESS_OR_EQUAL, value, high));
    }
}
