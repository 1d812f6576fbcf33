package io.penstock.format.json;

import io.penstock.format.Decimals;

/** A number of a message: a long when it is an integer of 64 bits, else the nearest double. */
final class JsonNumber {
    /** Number of decimal digits that always fit 64 bits without a sign. */
    private static final int DIGITS_MAX = 19;
    /** With a written exponent of this or more the value is infinite or zero, whatever its digits. */
    private static final int EXPONENT_MAX = 100_000;

    private boolean isLong;
    private long longValue;
    private double doubleValue;

    private long significand;
    private int digitCount;
    private int exponent;
    private boolean isTruncated;

    /**
     * Reads a number.
     *
     * @param bytes    of the message.
     * @param position of its first byte.
     * @return the position after it.
     */
    int read(final JsonBytes bytes, final int position) {
        significand = 0;
        digitCount = 0;
        exponent = 0;
        isTruncated = false;
        final boolean isNegative = bytes.at(position) == '-';
        int i = readDigits(bytes, isNegative ? position + 1 : position, 1);
        int c = bytes.at(i);
        isLong = c != '.' && (c | 0x20) != 'e' && exponent == 0 && fitsLong(isNegative);
        if (isLong) {
            longValue = isNegative ? -significand : significand;
            doubleValue = longValue;
            return i;
        }
        if (c == '.') {
            i = readDigits(bytes, i + 1, 0);
            c = bytes.at(i);
        }
        if ((c | 0x20) == 'e') {
            i = readExponent(bytes, i + 1);
        }
        final double magnitude = Decimals.toDouble(significand, exponent);
        // Digits that no longer fitted put the number between this significand and the next.
        if (isTruncated && Decimals.toDouble(significand + 1, exponent) != magnitude) {
            doubleValue = parse(bytes, position, i);
        } else {
            doubleValue = isNegative ? -magnitude : magnitude;
        }
        return i;
    }

    private boolean fitsLong(final boolean isNegative) {
        return significand >= 0 || (isNegative && significand == Long.MIN_VALUE);
    }

    /**
     * @param scale how far a digit that no longer fits moves the exponent: 1 before the decimal point, 0 behind it, where
     *     one that does fit moves it the other way.
     */
    private int readDigits(final JsonBytes bytes, final int position, final int scale) {
        int i = position;
        int digit = bytes.at(i) - '0';
        while (digit >= 0 && digit <= 9) {
            if (digitCount < DIGITS_MAX) {
                significand = significand * 10 + digit;
                digitCount += significand == 0 ? 0 : 1;
                exponent += scale - 1;
            } else {
                exponent += scale;
                isTruncated |= digit != 0;
            }
            digit = bytes.at(++i) - '0';
        }
        return i;
    }

    private int readExponent(final JsonBytes bytes, final int position) {
        final int sign = bytes.at(position);
        int i = sign == '-' || sign == '+' ? position + 1 : position;
        int written = 0;
        int digit = bytes.at(i) - '0';
        while (digit >= 0 && digit <= 9) {
            written = Math.min(EXPONENT_MAX, written * 10 + digit);
            digit = bytes.at(++i) - '0';
        }
        exponent += sign == '-' ? -written : written;
        return i;
    }

    /** The slow way, for a number whose first 19 digits do not decide it; it allocates. */
    private static double parse(final JsonBytes bytes, final int start, final int end) {
        final StringBuilder text = new StringBuilder(end - start);
        for (int i = start; i < end; i++) {
            text.append((char) bytes.at(i));
        }
        try {
            return Double.parseDouble(text.toString());
        } catch (final NumberFormatException e) {
            return Double.NaN; // Only of bytes that were not validated.
        }
    }

    boolean isLong() {
        return isLong;
    }

    long longValue() {
        return longValue;
    }

    double doubleValue() {
        return doubleValue;
    }
}
