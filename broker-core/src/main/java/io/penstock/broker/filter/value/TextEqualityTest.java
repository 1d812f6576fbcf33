package io.penstock.broker.filter.value;

import org.agrona.DirectBuffer;

/** Whether a value equals a text, or does not: bytes decide, their count first. */
public final class TextEqualityTest implements ValueTest {
    private final boolean isEqualWanted;
    private final DirectBuffer bytes;

    public TextEqualityTest(final ComparisonOperator operator, final Register constant) {
        this.isEqualWanted = operator == ComparisonOperator.EQUAL;
        this.bytes = constant.buffer();
        assert constant.offset() == 0 && constant.length() == bytes.capacity() : constant.length();
    }

    @Override
    public int truth(final Register value) {
        if (!value.isText()) {
            return value.isUnknown() ? Truth.UNKNOWN : Truth.of(!isEqualWanted);
        }
        final int length = bytes.capacity();
        final boolean isEqual =
                value.length() == length && Texts.equal(value.buffer(), value.offset(), bytes, 0, length);
        return Truth.of(isEqual == isEqualWanted);
    }
}
