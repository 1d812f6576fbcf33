package io.penstock.broker.query;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.ValueType;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A value that outlives its message. Ordered by kind, booleans before numbers before texts, and within a kind as filters
 * compare.
 */
final class Value implements Comparable<Value> {
    private static final double LONG_BOUND = 0x1p63;
    private static final int LENGTH_MIN = 16;

    /** Bytes of a value without its text, about. */
    private static final int LENGTH = 96;

    private final UnsafeBuffer text = new UnsafeBuffer(0, 0);
    private ValueType type = ValueType.NULL;
    private long number;
    private double real;
    private int textLength;

    /** Returns whether a double is an integer of 64 bits. */
    static boolean isLong(final double value) {
        return value >= -LONG_BOUND && value < LONG_BOUND && value == Math.rint(value);
    }

    ValueType type() {
        return type;
    }

    boolean isNumber() {
        return type == ValueType.LONG || type == ValueType.DOUBLE;
    }

    boolean booleanValue() {
        return number != 0;
    }

    long longValue() {
        return number;
    }

    double doubleValue() {
        return type == ValueType.LONG ? number : real;
    }

    DirectBuffer text() {
        return text;
    }

    int textLength() {
        return textLength;
    }

    /** Bytes of memory that it takes, about. */
    int length() {
        return LENGTH + text.capacity();
    }

    void setNull() {
        type = ValueType.NULL;
    }

    void set(final boolean value) {
        type = ValueType.BOOLEAN;
        number = value ? 1 : 0;
    }

    void set(final long value) {
        type = ValueType.LONG;
        number = value;
    }

    /** Sets a double; one that is not finite is NULL. */
    void set(final double value) {
        type = Double.isInfinite(value) || Double.isNaN(value) ? ValueType.NULL : ValueType.DOUBLE;
        real = value;
    }

    /** Copies a text. */
    void set(final DirectBuffer buffer, final int offset, final int length) {
        if (length > text.capacity()) {
            text.wrap(new byte[Math.max(LENGTH_MIN, length + (length >> 1))]);
        }
        text.putBytes(0, buffer, offset, length);
        type = ValueType.TEXT;
        textLength = length;
    }

    void set(final Value other) {
        switch (other.type) {
            case NULL -> setNull();
            case BOOLEAN -> set(other.number != 0);
            case LONG -> set(other.number);
            case DOUBLE -> set(other.real);
            case TEXT -> set(other.text, 0, other.textLength);
        }
    }

    /** Takes an expression's value; numbers that are equal become the same, so that 1.0 is 1. */
    void setNormal(final Expression value) {
        switch (value.type()) {
            case NULL -> setNull();
            case BOOLEAN -> set(value.booleanValue());
            case LONG -> set(value.longValue());
            case DOUBLE -> setNormal(value.doubleValue());
            case TEXT -> set(value.textBuffer(), value.textOffset(), value.textLength());
        }
    }

    /** Takes a double; one that is an integer of 64 bits becomes one. */
    void setNormal(final double value) {
        if (isLong(value)) {
            set((long) value);
        } else {
            set(value);
        }
    }

    /** A copy that takes no more room than it needs. */
    Value copy() {
        final Value copy = new Value();
        if (type == ValueType.TEXT) {
            copy.text.wrap(new byte[textLength]);
        }
        copy.set(this);
        return copy;
    }

    @Override
    public int compareTo(final Value other) {
        final int rank = rank();
        if (rank != other.rank()) {
            return rank < other.rank() ? -1 : 1;
        }
        return switch (type) {
            case NULL -> 0;
            case BOOLEAN -> Long.compare(number, other.number);
            case LONG ->
                other.type == ValueType.LONG ? Long.compare(number, other.number) : compare(number, other.real);
            case DOUBLE -> other.type == ValueType.DOUBLE ? compare(real, other.real) : -compare(other.number, real);
            case TEXT -> compareTexts(other);
        };
    }

    private int rank() {
        return switch (type) {
            case NULL -> 0;
            case BOOLEAN -> 1;
            case LONG, DOUBLE -> 2;
            case TEXT -> 3;
        };
    }

    private static int compare(final double left, final double right) {
        return left < right ? -1 : left > right ? 1 : 0;
    }

    private static int compare(final long left, final double right) {
        if (right >= LONG_BOUND) {
            return -1;
        }
        if (right < -LONG_BOUND) {
            return 1;
        }
        final long whole = (long) right;
        return left != whole ? Long.compare(left, whole) : compare(0.0, right - whole);
    }

    /** Compares bytes, which for UTF-8 is the order of code points. */
    private int compareTexts(final Value other) {
        final int length = Math.min(textLength, other.textLength);
        for (int i = 0; i < length; i++) {
            final int order = (text.getByte(i) & 0xFF) - (other.text.getByte(i) & 0xFF);
            if (order != 0) {
                return order;
            }
        }
        return textLength - other.textLength;
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof Value value && compareTo(value) == 0;
    }

    @Override
    public int hashCode() {
        throw new UnsupportedOperationException("values are ordered, not hashed");
    }
}
