package io.penstock.broker.query;

import io.penstock.format.FieldReader;
import io.penstock.format.FieldType;
import org.agrona.DirectBuffer;

/** Reads a group's row: the values of the group by, and then the aggregates. */
final class RowReader implements FieldReader {
    private final Value[] values;

    RowReader(final int count) {
        values = new Value[count];
        for (int i = 0; i < count; i++) {
            values[i] = new Value();
        }
    }

    Value value(final int slot) {
        return values[slot];
    }

    /** Not supported: a row is not bytes. */
    @Override
    public void wrap(final DirectBuffer buffer, final int offset, final int length) {
        throw new UnsupportedOperationException("row: not read from bytes");
    }

    @Override
    public FieldType type(final int slot) {
        return switch (values[slot].type()) {
            case NULL -> FieldType.NULL;
            case BOOLEAN -> FieldType.BOOLEAN;
            case LONG -> FieldType.LONG;
            case DOUBLE -> FieldType.DOUBLE;
            case TEXT -> FieldType.STRING;
        };
    }

    @Override
    public boolean booleanValue(final int slot) {
        return values[slot].booleanValue();
    }

    @Override
    public long longValue(final int slot) {
        return values[slot].longValue();
    }

    @Override
    public double doubleValue(final int slot) {
        return values[slot].doubleValue();
    }

    @Override
    public DirectBuffer stringBuffer(final int slot) {
        return values[slot].text();
    }

    @Override
    public int stringOffset(final int slot) {
        return 0;
    }

    @Override
    public int stringLength(final int slot) {
        return values[slot].textLength();
    }

    @Override
    public int elementCount(final int slot) {
        return 0;
    }

    @Override
    public void element(final int slot, final int index) {}
}
