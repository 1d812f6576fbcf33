package io.penstock.broker.filter;

/** Whether a text begins with, ends with or contains any of some texts. */
final class AffixTest implements ValueTest {
    private final AffixOperator operator;
    private final Register[] constants;

    AffixTest(final AffixOperator operator, final Register[] constants) {
        this.operator = operator;
        this.constants = constants;
    }

    @Override
    public int truth(final Register value) {
        int truth = Truth.FALSE;
        for (int i = 0; i < constants.length && truth != Truth.TRUE; i++) {
            truth = Math.max(truth, operator.truth(value, constants[i]));
        }
        return truth;
    }
}
