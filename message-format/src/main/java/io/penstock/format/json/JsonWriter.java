package io.penstock.format.json;

import io.penstock.format.MessageWriter;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes an object of scalars, without white space. */
final class JsonWriter implements MessageWriter {
    /** Digits of the longest long. */
    private static final int DIGITS_MAX = 20;

    /** Where the decimal point stands, counted from the first digit, in numbers written without an exponent. */
    private static final int PLAIN_POINT_MAX = 15;

    private static final int PLAIN_POINT_MIN = -6;

    private static final String HEX = "0123456789abcdef";

    private final JsonOutput output = new JsonOutput();
    private final UnsafeBuffer digits = new UnsafeBuffer(new byte[DIGITS_MAX]);
    private final ShortestDecimal decimal = new ShortestDecimal();
    private String[] names = new String[16];
    private int nameCount;

    @Override
    public void wrap(final MutableDirectBuffer to, final int offset, final int length) {
        output.wrap(to, offset, length);
        output.put('{');
        nameCount = 0;
    }

    @Override
    public void putNull(final String name) {
        member(name);
        literal("null");
    }

    @Override
    public void putBoolean(final String name, final boolean value) {
        member(name);
        literal(value ? "true" : "false");
    }

    @Override
    public void putLong(final String name, final long value) {
        member(name);
        output.put(digits, 0, digits.putLongAscii(0, value));
    }

    @Override
    public void putDouble(final String name, final double value) {
        member(name);
        if (!Double.isFinite(value)) {
            literal("null");
        } else if (value == 0) {
            literal(1 / value < 0 ? "-0.0" : "0");
        } else {
            number(value);
        }
    }

    /**
     * Without an exponent from 1e-6 to below 1e15. From 2^53 on an integer of the shortest digits would be read as a long,
     * which is exact, with zeros where the double has other digits.
     */
    private void number(final double value) {
        if (value < 0) {
            output.put('-');
        }
        decimal.of(value);
        final int count = digits.putLongAscii(0, decimal.significand());
        final int point = count + decimal.exponent();
        if (point > PLAIN_POINT_MAX || point <= PLAIN_POINT_MIN) {
            output.put(digits, 0, 1);
            fraction(1, count);
            output.put('e');
            output.put(digits, 0, digits.putIntAscii(0, point - 1));
        } else if (point <= 0) {
            literal("0.");
            zeros(-point);
            output.put(digits, 0, count);
        } else {
            output.put(digits, 0, Math.min(count, point));
            zeros(point - count);
            fraction(point, count);
        }
    }

    private void zeros(final int count) {
        for (int i = 0; i < count; i++) {
            output.put('0');
        }
    }

    private void fraction(final int start, final int end) {
        if (start < end) {
            output.put('.');
            output.put(digits, start, end - start);
        }
    }

    @Override
    public void putText(final String name, final DirectBuffer utf8, final int offset, final int length) {
        member(name);
        output.put('"');
        int plainStart = offset;
        for (int i = offset; i < offset + length; i++) {
            final int c = utf8.getByte(i);
            if (isEscapeNeeded(c)) {
                output.put(utf8, plainStart, i - plainStart);
                escape(c);
                plainStart = i + 1;
            }
        }
        output.put(utf8, plainStart, offset + length - plainStart);
        output.put('"');
    }

    @Override
    public int end() {
        output.put('}');
        return output.length();
    }

    private void member(final String name) {
        for (int i = 0; i < nameCount; i++) {
            if (names[i].equals(name)) {
                throw new IllegalArgumentException("json: a field is there twice: " + name + " (put it once)");
            }
        }
        if (nameCount == names.length) {
            names = Arrays.copyOf(names, nameCount * 2);
        }
        if (nameCount > 0) {
            output.put(',');
        }
        names[nameCount++] = name;
        output.put('"');
        for (int i = 0; i < name.length(); i++) {
            final char c = name.charAt(i);
            if (c >= 0x80) {
                unit(c);
            } else if (isEscapeNeeded(c)) {
                escape(c);
            } else {
                output.put(c);
            }
        }
        output.put('"');
        output.put(':');
    }

    private void literal(final String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            output.put(ascii.charAt(i));
        }
    }

    private static boolean isEscapeNeeded(final int c) {
        return (c >= 0 && c < ' ') || c == '"' || c == '\\';
    }

    private void escape(final int c) {
        switch (c) {
            case '"', '\\' -> shortEscape(c);
            case '\b' -> shortEscape('b');
            case '\f' -> shortEscape('f');
            case '\n' -> shortEscape('n');
            case '\r' -> shortEscape('r');
            case '\t' -> shortEscape('t');
            default -> unit(c);
        }
    }

    private void shortEscape(final int c) {
        output.put('\\');
        output.put(c);
    }

    private void unit(final int c) {
        shortEscape('u');
        for (int shift = 12; shift >= 0; shift -= 4) {
            output.put(HEX.charAt((c >> shift) & 0xF));
        }
    }
}
