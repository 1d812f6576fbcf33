package io.penstock.broker.filter.value;

/** The six comparisons. */
public enum ComparisonOperator implements PairTest {
    EQUAL("="),
    NOT_EQUAL("<>"),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">=");

    private final String sign;

    ComparisonOperator(final String sign) {
        this.sign = sign;
    }

    public String sign() {
        return sign;
    }

    /**
     * The truth of the comparison, given how the operands are ordered.
     *
     * @param order negative, zero or positive as the left operand is less, equal or greater.
     */
    boolean accepts(final int order) {
        return switch (this) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
        };
    }

    @Override
    public int truth(final Register left, final Register right) {
        return Comparing.truth(this, left, right);
    }

    /** The operator that says the same with the operands swapped. */
    public ComparisonOperator mirrored() {
        return switch (this) {
            case EQUAL, NOT_EQUAL -> this;
            case LESS -> GREATER;
            case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
            case GREATER -> LESS;
            case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
        };
    }
}
