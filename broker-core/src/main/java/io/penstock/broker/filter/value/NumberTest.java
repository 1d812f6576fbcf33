package io.penstock.broker.filter.value;

import io.penstock.format.FieldType;

/** How a value compares with a number. */
public final class NumberTest implements ValueTest {
    private final ComparisonOperator operator;
    private final Register constant;
    private final boolean isLong;
    private final long number;
    private final double real;

    public NumberTest(final ComparisonOperator operator, final Register constant) {
        this.operator = operator;
        this.constant = constant;
        this.isLong = constant.type() == FieldType.LONG;
        this.number = constant.longValue();
        this.real = constant.doubleValue();
    }

    @Override
    public int truth(final Register value) {
        final FieldType type = value.type();
        if (type == FieldType.LONG) {
            final long left = value.longValue();
            return Truth.of(operator.accepts(isLong ? Long.compare(left, number) : Numbers.compare(left, real)));
        }
        if (type == FieldType.DOUBLE) {
            final double left = value.doubleValue();
            return Truth.of(operator.accepts(isLong ? -Numbers.compare(number, left) : Numbers.compare(left, real)));
        }
        return Comparing.truth(operator, value, constant);
    }
}
