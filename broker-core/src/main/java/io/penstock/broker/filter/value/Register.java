package io.penstock.broker.filter.value;

import io.penstock.format.FieldReader;
import io.penstock.format.FieldType;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Holds one value while a filter is evaluated. A text is a view of bytes that stay as they are until the evaluation
 * ends. A register of type {@link FieldType#ARRAY} stands for the elements in its slot.
 */
public final class Register {
    private static final DirectBuffer NO_BYTES = new UnsafeBuffer(new byte[0]);

    private FieldType type = FieldType.NULL;
    /** How the value reads as a number: LONG, DOUBLE, NULL when it does not, ABSENT when that is not known yet. */
    private FieldType numberType = FieldType.NULL;

    private long number;
    private double real;
    private DirectBuffer buffer = NO_BYTES;
    private int offset;
    private int length;
    private int slot;

    public FieldType type() {
        return type;
    }

    public boolean isNull() {
        return type == FieldType.NULL || type == FieldType.ABSENT;
    }

    /** NULL, absent, or an object, of which nothing is known. */
    public boolean isUnknown() {
        return isNull() || type == FieldType.OBJECT;
    }

    /** Returns whether the value is of a number's type, which an untyped text is not. */
    public boolean isNumber() {
        return type == FieldType.LONG || type == FieldType.DOUBLE;
    }

    public boolean isText() {
        return type == FieldType.STRING || type == FieldType.UNTYPED;
    }

    public boolean booleanValue() {
        return number != 0;
    }

    /** How the value reads as a number: LONG, DOUBLE, or NULL when it does not. */
    public FieldType numberType() {
        if (numberType == FieldType.ABSENT) {
            DecimalText.read(this);
        }
        return numberType;
    }

    /** Returns whether the value reads as a number: it is one, or untyped text that spells one. */
    public boolean hasNumber() {
        return numberType() != FieldType.NULL;
    }

    /** The number when its type is LONG. */
    public long longValue() {
        return number;
    }

    /** The number, of either type. */
    public double doubleValue() {
        return numberType == FieldType.LONG ? number : real;
    }

    public DirectBuffer buffer() {
        return buffer;
    }

    public int offset() {
        return offset;
    }

    public int length() {
        return length;
    }

    public int slot() {
        return slot;
    }

    public void setNull() {
        type = FieldType.NULL;
        numberType = FieldType.NULL;
    }

    /** Sets a value that is not NULL, and of which nothing is known. */
    public void setObject() {
        type = FieldType.OBJECT;
        numberType = FieldType.NULL;
    }

    public void set(final boolean value) {
        type = FieldType.BOOLEAN;
        numberType = FieldType.NULL;
        number = value ? 1 : 0;
    }

    public void set(final long value) {
        type = FieldType.LONG;
        numberType = FieldType.LONG;
        number = value;
    }

    /** Sets a double; what is not a number is NULL. */
    public void set(final double value) {
        type = Double.isNaN(value) ? FieldType.NULL : FieldType.DOUBLE;
        numberType = type;
        real = value;
    }

    public void set(final DirectBuffer textBuffer, final int textOffset, final int textLength) {
        type = FieldType.STRING;
        numberType = FieldType.NULL;
        buffer = textBuffer;
        offset = textOffset;
        length = textLength;
    }

    /** Sets a truth value as a condition's value. */
    public void setTruth(final int truth) {
        if (truth == Truth.UNKNOWN) {
            setNull();
        } else {
            set(truth == Truth.TRUE);
        }
    }

    public void set(final Register other) {
        type = other.type;
        numberType = other.numberType;
        number = other.number;
        real = other.real;
        buffer = other.buffer;
        offset = other.offset;
        length = other.length;
        slot = other.slot;
    }

    /** Sets the number that a value reads as. */
    public void setNumber(final Register other) {
        if (other.numberType() == FieldType.LONG) {
            set(other.number);
        } else {
            set(other.real);
        }
    }

    /** Makes the copy of an untyped text untyped again. */
    public void setUntyped() {
        if (type == FieldType.STRING) {
            type = FieldType.UNTYPED;
            numberType = FieldType.ABSENT;
        }
    }

    /** States how an untyped text reads as a number. */
    void readsAs(final FieldType readType, final long readNumber, final double readReal) {
        numberType = readType;
        number = readNumber;
        real = readReal;
    }

    /** Takes the value in a field's slot, or of the element selected there. */
    public void load(final FieldReader reader, final int fieldSlot) {
        type = reader.type(fieldSlot);
        numberType = FieldType.NULL;
        switch (type) {
            case STRING -> view(reader, fieldSlot);
            case LONG -> {
                numberType = FieldType.LONG;
                number = reader.longValue(fieldSlot);
            }
            case DOUBLE -> loadDouble(reader.doubleValue(fieldSlot));
            case BOOLEAN -> number = reader.booleanValue(fieldSlot) ? 1 : 0;
            case UNTYPED -> {
                numberType = FieldType.ABSENT;
                view(reader, fieldSlot);
            }
            case ARRAY -> slot = fieldSlot;
            case ABSENT, NULL, OBJECT -> {}
        }
    }

    /** A field that is not a number is unknown, but not NULL. */
    private void loadDouble(final double value) {
        final boolean isNumber = !Double.isNaN(value);
        type = isNumber ? FieldType.DOUBLE : FieldType.OBJECT;
        numberType = isNumber ? FieldType.DOUBLE : FieldType.NULL;
        real = value;
    }

    private void view(final FieldReader reader, final int fieldSlot) {
        buffer = reader.stringBuffer(fieldSlot);
        offset = reader.stringOffset(fieldSlot);
        length = reader.stringLength(fieldSlot);
    }
}
