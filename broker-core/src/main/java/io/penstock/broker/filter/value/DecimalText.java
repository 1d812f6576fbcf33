package io.penstock.broker.filter.value;

import io.penstock.format.FieldType;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/**
 * Reads untyped text as a number: {@code -12}, {@code +0.5}, {@code .5}, {@code 1e3}, without spaces. An integer of 64
 * bits is a long, everything else the nearest double.
 */
final class DecimalText {
    /** Longer texts are no numbers. */
    private static final int LENGTH_MAX = 128;
    /** Up to here every integer is a double exactly, and so is the power it is divided by: the division rounds once. */
    private static final long EXACT_MAX = 1L << 53;

    private DecimalText() {}

    /** Reads the text of a register, and stores in the register how it reads. */
    static void read(final Register text) {
        final DirectBuffer buffer = text.buffer();
        final int start = text.offset();
        final int end = start + text.length();
        text.readsAs(FieldType.NULL, 0, 0);
        if (text.length() == 0 || text.length() > LENGTH_MAX) {
            return;
        }
        final byte sign = buffer.getByte(start);
        final int first = sign == '-' || sign == '+' ? start + 1 : start;
        long digits = 0;
        int digitCount = 0;
        int pointAt = -1;
        int at = first;
        boolean isExact = true;
        for (; at < end; at++) {
            final byte character = buffer.getByte(at);
            if (character == '.' && pointAt < 0) {
                pointAt = at;
            } else if (character >= '0' && character <= '9') {
                isExact &= digits <= (Long.MAX_VALUE - 9) / 10;
                digits = digits * 10 + character - '0';
                digitCount++;
            } else {
                break;
            }
        }
        if (digitCount == 0) {
            return;
        }
        final int fractionCount = pointAt < 0 ? 0 : at - pointAt - 1;
        if (at == end && isExact && pointAt < 0) {
            text.readsAs(FieldType.LONG, sign == '-' ? -digits : digits, 0);
        } else if (at == end && isExact && digits <= EXACT_MAX && fractionCount <= Numbers.EXACT_POWER_MAX) {
            final double value = digits / Numbers.powerOfTen(fractionCount);
            text.readsAs(FieldType.DOUBLE, 0, sign == '-' ? -value : value);
        } else if (at == end || isExponent(buffer, at, end)) {
            parse(text, pointAt < 0 && at == end);
        }
    }

    private static boolean isExponent(final DirectBuffer buffer, final int offset, final int end) {
        int at = offset + 1;
        if ((buffer.getByte(offset) | 0x20) != 'e' || at == end) {
            return false;
        }
        if (buffer.getByte(at) == '-' || buffer.getByte(at) == '+') {
            at++;
        }
        final int digitsStart = at;
        while (at < end && buffer.getByte(at) >= '0' && buffer.getByte(at) <= '9') {
            at++;
        }
        return at == end && at > digitsStart;
    }

    /** The slow way, for exponents and for more digits than a double holds; it allocates. */
    private static void parse(final Register text, final boolean isInteger) {
        final byte[] bytes = new byte[text.length()];
        text.buffer().getBytes(text.offset(), bytes);
        final String spelling = new String(bytes, StandardCharsets.US_ASCII);
        if (isInteger) {
            try {
                text.readsAs(FieldType.LONG, Long.parseLong(spelling), 0);
                return;
            } catch (final NumberFormatException e) {
                // Beyond 64 bits.
            }
        }
        text.readsAs(FieldType.DOUBLE, 0, Double.parseDouble(spelling));
    }
}
