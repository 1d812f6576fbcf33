package io.penstock.broker.filter.value;

/**
 * A comparison with a constant.
 *
 * @param operator of the comparison.
 * @param constant on its right.
 */
public record ComparisonTest(PairTest operator, Register constant) implements ValueTest {
    @Override
    public int truth(final Register value) {
        return operator.truth(value, constant);
    }
}
