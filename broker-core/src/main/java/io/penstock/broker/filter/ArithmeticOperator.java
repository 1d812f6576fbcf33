package io.penstock.broker.filter;

/** The binary operators that yield values other than conditions. */
enum ArithmeticOperator {
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

    String sign() {
        return sign;
    }
}
