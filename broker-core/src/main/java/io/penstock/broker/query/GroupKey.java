package io.penstock.broker.query;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.ValueType;
import io.penstock.broker.query.exact.SecretHash;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Values as bytes, equal for equal values. Numbers that are integers of 64 bits are written as such, whatever their type
 * was.
 *
 * <pre>
 *   NULL     0
 *   boolean  1, one byte 0 or 1
 *   integer  2, eight bytes
 *   double   3, eight bytes
 *   text     4, its length in four bytes, its bytes
 * </pre>
 *
 * Numbers and lengths are little-endian.
 */
final class GroupKey {
    private static final byte NULL = 0;
    private static final byte BOOLEAN = 1;
    private static final byte LONG = 2;
    private static final byte DOUBLE = 3;
    private static final byte TEXT = 4;
    private static final int TYPE_LENGTH = Byte.BYTES;
    private static final int NUMBER_LENGTH = TYPE_LENGTH + Long.BYTES;
    private static final int TEXT_OFFSET = TYPE_LENGTH + Integer.BYTES;
    private static final int CAPACITY_INITIAL = 256;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[CAPACITY_INITIAL]);
    private int length;

    DirectBuffer buffer() {
        return buffer;
    }

    int length() {
        return length;
    }

    void clear() {
        length = 0;
    }

    void append(final Expression value) {
        final ValueType type = value.type();
        ensureRoom(type == ValueType.TEXT ? TEXT_OFFSET + value.textLength() : NUMBER_LENGTH);
        switch (type) {
            case NULL -> buffer.putByte(length++, NULL);
            case BOOLEAN -> {
                buffer.putByte(length, BOOLEAN);
                buffer.putByte(length + TYPE_LENGTH, (byte) (value.booleanValue() ? 1 : 0));
                length += TYPE_LENGTH + Byte.BYTES;
            }
            case LONG -> append(LONG, value.longValue());
            case DOUBLE -> append(value.doubleValue());
            case TEXT -> {
                buffer.putByte(length, TEXT);
                buffer.putInt(length + TYPE_LENGTH, value.textLength(), ByteOrder.LITTLE_ENDIAN);
                putText(value.textBuffer(), value.textOffset(), value.textLength());
                length += TEXT_OFFSET + value.textLength();
            }
        }
    }

    /** A call that copies memory takes longer than a few bytes do. */
    private void putText(final DirectBuffer text, final int offset, final int textLength) {
        final int at = length + TEXT_OFFSET;
        if (textLength > Long.BYTES) {
            buffer.putBytes(at, text, offset, textLength);
            return;
        }
        for (int i = 0; i < textLength; i++) {
            buffer.putByte(at + i, text.getByte(offset + i));
        }
    }

    private void append(final double value) {
        if (Value.isLong(value)) {
            append(LONG, (long) value);
        } else {
            append(DOUBLE, Double.doubleToRawLongBits(value));
        }
    }

    private void append(final byte type, final long bits) {
        buffer.putByte(length, type);
        buffer.putLong(length + TYPE_LENGTH, bits, ByteOrder.LITTLE_ENDIAN);
        length += NUMBER_LENGTH;
    }

    private void ensureRoom(final int count) {
        if (length + count > buffer.capacity()) {
            final byte[] longer = new byte[Math.max(length + count, 2 * buffer.capacity())];
            buffer.getBytes(0, longer, 0, length);
            buffer.wrap(longer);
        }
    }

    /** Reads the value at an offset of a key, and returns the offset after it. */
    static int read(final DirectBuffer key, final int offset, final Value target) {
        final int at = offset + TYPE_LENGTH;
        switch (key.getByte(offset)) {
            case NULL -> {
                target.setNull();
                return at;
            }
            case BOOLEAN -> {
                target.set(key.getByte(at) != 0);
                return at + Byte.BYTES;
            }
            case LONG -> {
                target.set(key.getLong(at, ByteOrder.LITTLE_ENDIAN));
                return offset + NUMBER_LENGTH;
            }
            case DOUBLE -> {
                target.set(Double.longBitsToDouble(key.getLong(at, ByteOrder.LITTLE_ENDIAN)));
                return offset + NUMBER_LENGTH;
            }
            default -> {
                final int textLength = key.getInt(at, ByteOrder.LITTLE_ENDIAN);
                target.set(key, offset + TEXT_OFFSET, textLength);
                return offset + TEXT_OFFSET + textLength;
            }
        }
    }

    int hash() {
        return SecretHash.of(buffer, 0, length);
    }

    boolean matches(final DirectBuffer key) {
        if (key.capacity() != length) {
            return false;
        }
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            if (key.getLong(at) != buffer.getLong(at)) {
                return false;
            }
        }
        for (; at < length; at++) {
            if (key.getByte(at) != buffer.getByte(at)) {
                return false;
            }
        }
        return true;
    }

    void set(final DirectBuffer key) {
        length = 0;
        ensureRoom(key.capacity());
        buffer.putBytes(0, key, 0, key.capacity());
        length = key.capacity();
    }

    UnsafeBuffer copy() {
        final byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        return new UnsafeBuffer(bytes);
    }
}
