package io.penstock.broker.filter.value;

import io.penstock.format.FieldType;

/** How a value compares with a number. It keeps nothing but the number, as there may be very many. */
public final class NumberTest implements ValueTest {
    private final ComparisonOperator operator;
    private final boolean isLong;

    /** The number, or the bits of it as a double. */
    private final long bits;

    public NumberTest(final ComparisonOperator operator, final Register constant) {
        this.operator = operator;
        this.isLong = constant.type() == FieldType.LONG;
        this.bits = isLong ? constant.longValue() : Double.doubleToRawLongBits(constant.doubleValue());
    }

    @Override
    public int truth(final Register value) {
        return switch (value.type()) {
            case LONG -> truth(value.longValue());
            case DOUBLE -> truth(value.doubleValue());
            case UNTYPED -> truthOfUntyped(value);
            case ABSENT, NULL, OBJECT -> Truth.UNKNOWN;
            case STRING, BOOLEAN, ARRAY -> Truth.of(operator == ComparisonOperator.NOT_EQUAL);
        };
    }

    private int truth(final long left) {
        return Truth.of(operator.accepts(
                isLong ? Long.compare(left, bits) : Numbers.compare(left, Double.longBitsToDouble(bits))));
    }

    private int truth(final double left) {
        return Truth.of(operator.accepts(
                isLong ? -Numbers.compare(bits, left) : Numbers.compare(left, Double.longBitsToDouble(bits))));
    }

    private int truthOfUntyped(final Register value) {
        final FieldType read = value.numberType();
        if (read == FieldType.LONG) {
            return truth(value.longValue());
        }
        return read == FieldType.DOUBLE ? truth(value.doubleValue()) : Truth.UNKNOWN;
    }
}
