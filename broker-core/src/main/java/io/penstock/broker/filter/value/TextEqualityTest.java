package io.penstock.broker.filter.value;

import org.agrona.DirectBuffer;

/** Whether a value equals a text, or does not: bytes decide, their count first. */
public final class TextEqualityTest implements ValueTest {
    private final ComparisonOperator operator;
    private final boolean isEqualWanted;
    private final Register constant;
    private final DirectBuffer bytes;
    private final int length;

    public TextEqualityTest(final ComparisonOperator operator, final Register constant) {
        this.operator = operator;
        this.isEqualWanted = operator == ComparisonOperator.EQUAL;
        this.constant = constant;
        this.bytes = constant.buffer();
        this.length = constant.length();
    }

    @Override
    public int truth(final Register value) {
        if (!value.isText()) {
            return Comparing.truth(operator, value, constant);
        }
        final boolean isEqual =
                value.length() == length && Texts.equal(value.buffer(), value.offset(), bytes, 0, length);
        return Truth.of(isEqual == isEqualWanted);
    }
}
