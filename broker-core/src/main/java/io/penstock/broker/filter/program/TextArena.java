package io.penstock.broker.filter.program;

import io.penstock.broker.filter.regex.Utf8;
import io.penstock.broker.filter.value.Register;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Holds the texts that functions build while one message is evaluated. It grows to what the longest evaluation took, up
 * to a bound, and allocates nothing after that. A text beyond the bound is NULL.
 */
public final class TextArena {
    private static final int LENGTH_INITIAL = 256;

    private final int lengthMax;
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[0]);
    private int start;
    private int length;
    private boolean isOverflown;
    private boolean wasTooShort;

    public TextArena(final int lengthMax) {
        this.lengthMax = lengthMax;
    }

    /** Forgets all texts. */
    void clear() {
        start = 0;
        length = 0;
        wasTooShort = false;
    }

    /** Whether a text of this message was beyond the bound. */
    boolean wasTooShort() {
        return wasTooShort;
    }

    /** How far the texts reach, to {@link #release} those that follow. */
    int mark() {
        return length;
    }

    void release(final int mark) {
        length = mark;
    }

    /** Starts a text; the one before stays as it is. */
    void begin() {
        start = length;
        isOverflown = false;
    }

    void append(final Register text) {
        append(text.buffer(), text.offset(), text.length());
    }

    void append(final DirectBuffer source, final int offset, final int count) {
        if (hasRoom(count)) {
            buffer.putBytes(length, source, offset, count);
            length += count;
        }
    }

    void appendByte(final char value) {
        if (hasRoom(1)) {
            buffer.putByte(length++, (byte) value);
        }
    }

    void appendAscii(final String text, final int count) {
        for (int i = 0; i < count; i++) {
            appendByte(text.charAt(i));
        }
    }

    /** Appends a number with leading zeros up to a count of digits. */
    void appendDigits(final long value, final int digitCount) {
        if (hasRoom(digitCount)) {
            long rest = value;
            for (int i = length + digitCount - 1; i >= length; i--) {
                buffer.putByte(i, (byte) ('0' + rest % 10));
                rest /= 10;
            }
            length += digitCount;
        }
    }

    void appendCodePoint(final int point) {
        if (point < 0x80) {
            appendByte((char) point);
        } else if (hasRoom(Utf8.CODE_POINT_LENGTH_MAX)) {
            length += Utf8.encode(point, buffer, length);
        }
    }

    boolean isOverflown() {
        return isOverflown;
    }

    /** Takes back what was appended of the text. */
    void drop() {
        length = start;
    }

    /** Ends the text. */
    void end(final Register target) {
        if (isOverflown) {
            length = start;
            target.setNull();
        } else {
            target.set(buffer, start, length - start);
        }
    }

    private boolean hasRoom(final int count) {
        if (isOverflown || count > lengthMax - length) {
            isOverflown = true;
            wasTooShort = true;
            return false;
        }
        if (length + count > buffer.capacity()) {
            grow(length + count);
        }
        return true;
    }

    /** Offsets of earlier texts stay valid, for they are views of the same buffer. */
    private void grow(final int lengthMin) {
        final byte[] longer =
                new byte[Math.min(lengthMax, Math.max(LENGTH_INITIAL, Math.max(lengthMin, 2 * buffer.capacity())))];
        buffer.getBytes(0, longer, 0, length);
        buffer.wrap(longer);
    }
}
