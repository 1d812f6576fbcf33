package io.penstock.broker.filter;

/** Whether a value passes a test with any of some constants. */
final class ListTest implements ValueTest {
    private final PairTest test;
    private final Register[] constants;

    ListTest(final PairTest test, final Register[] constants) {
        this.test = test;
        this.constants = constants;
    }

    @Override
    public int truth(final Register value) {
        int truth = Truth.FALSE;
        for (int i = 0; i < constants.length && truth != Truth.TRUE; i++) {
            truth = Math.max(truth, test.truth(value, constants[i]));
        }
        return truth;
    }
}
