package io.penstock.broker.filter.value;

/** The binary operators that yield values other than conditions. */
public enum ArithmeticOperator {
    ADD("+"),
    SUBTRACT("-"),
    CONCATENATE("||"),
    MULTIPLY("*"),
    DIVIDE("/"),
    REMAINDER("%");

    private final String sign;

    ArithmeticOperator(final String sign) {
        this.sign = sign;
    }

    public String sign() {
        return sign;
    }
}
