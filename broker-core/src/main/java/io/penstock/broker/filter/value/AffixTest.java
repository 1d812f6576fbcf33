package io.penstock.broker.filter.value;

/** Whether a text begins with, ends with or contains any of some texts; unknown when it is too long to be searched. */
public final class AffixTest implements ValueTest {
    private final AffixOperator operator;
    private final Register[] constants;
    /** Factors of each constant for {@link TextSearch}. */
    private final long[] factors;

    private final Work work;

    public AffixTest(final AffixOperator operator, final Register[] constants, final Work work) {
        this.work = work;
        this.operator = operator;
        this.constants = constants;
        this.factors = new long[constants.length];
        for (int i = 0; i < constants.length; i++) {
            factors[i] = TextSearch.factors(constants[i].buffer(), constants[i].offset(), constants[i].length());
        }
    }

    @Override
    public int truth(final Register value) {
        if (value.isUnknown()) {
            return Truth.UNKNOWN;
        }
        if (value.isText()) {
            for (int i = 0; i < constants.length; i++) {
                if (operator == AffixOperator.CONTAINS && !work.takeText(value)) {
                    return Truth.UNKNOWN;
                }
                if (isIn(value, i)) {
                    return Truth.TRUE;
                }
            }
        }
        return Truth.FALSE;
    }

    private boolean isIn(final Register text, final int index) {
        final Register part = constants[index];
        return switch (operator) {
            case BEGINS_WITH -> Texts.regionEquals(text, 0, part);
            case ENDS_WITH -> Texts.regionEquals(text, text.length() - part.length(), part);
            case CONTAINS -> Texts.indexOf(text, part, factors[index]) >= 0;
        };
    }
}
