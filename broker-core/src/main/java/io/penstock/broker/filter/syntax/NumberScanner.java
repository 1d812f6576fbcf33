package io.penstock.broker.filter.syntax;

import java.math.BigInteger;

/**
 * Reads a numeric literal as SQL or Java writes it: {@code 255}, {@code 255L}, {@code 0xFF}, {@code 0377},
 * {@code 0b11}, {@code 1_000}, {@code 1.5e3}, {@code .5}, {@code 7.}, {@code 2.0d}, {@code 0x1p-3}.
 *
 * <p>A decimal integer beyond 64 bits is a double, as the result of an overflowing operation is; hexadecimal, octal and
 * binary ones spell the bits of an integer and are refused beyond 64 bits.
 */
final class NumberScanner {
    private final SourceText source;
    private final int start;
    private int index;

    NumberScanner(final SourceText source, final int start) {
        this.source = source;
        this.start = start;
        this.index = start;
    }

    /** Index after the literal. */
    int end() {
        return index;
    }

    Node scan() {
        final char second = Character.toLowerCase(source.at(start + 1));
        if (source.at(start) == '0' && second == 'x') {
            return hexadecimal();
        }
        if (source.at(start) == '0' && second == 'b') {
            index += 2;
            return bits(digits(2), 2);
        }
        return decimal();
    }

    private Node hexadecimal() {
        index += 2;
        String digits = digits(16);
        final boolean hasFraction = source.at(index) == '.';
        if (hasFraction) {
            index++;
            digits += "." + digits(16);
        }
        if (digits.isEmpty() || digits.equals(".")) {
            throw source.expected("digits of base 16", start, index);
        }
        if (Character.toLowerCase(source.at(index)) == 'p') {
            return real("0x" + digits + exponent());
        }
        if (hasFraction) {
            throw source.expected("an exponent, as in 0x1.8p0,", index, index + 1);
        }
        return bits(digits, 16);
    }

    private Node decimal() {
        final String whole = digits(10);
        final boolean hasFraction = source.at(index) == '.';
        String digits = whole;
        if (hasFraction) {
            index++;
            digits += "." + digits(10);
        }
        final boolean hasExponent = Character.toLowerCase(source.at(index)) == 'e';
        if (hasExponent) {
            digits += exponent();
        }
        final char suffix = Character.toLowerCase(source.at(index));
        if (hasFraction || hasExponent || suffix == 'd' || suffix == 'f') {
            return real(digits);
        }
        if (whole.length() > 1 && whole.charAt(0) == '0') {
            return bits(whole.substring(1), 8);
        }
        final BigInteger value = new BigInteger(whole);
        if (value.bitLength() < Long.SIZE) {
            skipSuffix('l');
            return new Node.LongLiteral(value.longValue());
        }
        return new Node.DoubleLiteral(value.doubleValue());
    }

    /** Digits of a radix, without the underscores that may stand between them. */
    private String digits(final int radix) {
        final StringBuilder digits = new StringBuilder();
        while (true) {
            int next = index;
            while (source.at(next) == '_' && digits.length() > 0) {
                next++;
            }
            if (!isDigit(source.at(next), radix)) {
                return digits.toString();
            }
            digits.append(source.at(next));
            index = next + 1;
        }
    }

    /** Octal and binary runs take all decimal digits, so that a wrong one is named rather than left over. */
    private static boolean isDigit(final char character, final int radix) {
        return character < 0x80 && Character.digit(character, Math.max(radix, 10)) >= 0;
    }

    private String exponent() {
        final StringBuilder exponent = new StringBuilder().append(source.at(index++));
        if (source.at(index) == '+' || source.at(index) == '-') {
            exponent.append(source.at(index++));
        }
        final String digits = digits(10);
        if (digits.isEmpty()) {
            throw source.expected("digits of an exponent", index, index + 1);
        }
        return exponent.append(digits).toString();
    }

    private Node real(final String digits) {
        final char suffix = Character.toLowerCase(source.at(index));
        if (suffix == 'd' || suffix == 'f') {
            index++;
        }
        final double value = Double.parseDouble(digits);
        if (Double.isInfinite(value)) {
            throw source.refused("a number out of range", start, index);
        }
        return new Node.DoubleLiteral(value);
    }

    private Node bits(final String digits, final int radix) {
        final BigInteger value;
        try {
            value = new BigInteger(digits, radix);
        } catch (final NumberFormatException e) {
            throw source.expected("digits of base " + radix, start, index);
        }
        if (value.bitLength() > Long.SIZE) {
            throw source.refused("more than 64 bits", start, index);
        }
        skipSuffix('l');
        return new Node.LongLiteral(value.longValue());
    }

    private void skipSuffix(final char suffix) {
        if (Character.toLowerCase(source.at(index)) == suffix) {
            index++;
        }
    }
}
