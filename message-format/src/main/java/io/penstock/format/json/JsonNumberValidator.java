package io.penstock.format.json;

import io.penstock.format.MessageBytes;

/** Checks the numbers and literals of JSON. Positions are as {@link JsonMistake} says. */
final class JsonNumberValidator {
    private static final long TRUE = 0x65757274L;
    private static final long FALSE = 0x65736C6166L;
    private static final long NULL = 0x6C6C756EL;
    private static final long BYTE_ORDER_MARK = 0xBFBBEFL;

    private final JsonBytes bytes;
    private final JsonMistake mistake;

    JsonNumberValidator(final JsonBytes bytes, final JsonMistake mistake) {
        this.bytes = bytes;
        this.mistake = mistake;
    }

    /**
     * Over a number or a literal.
     *
     * @param position of its first byte.
     * @param c        that byte.
     * @return the position after it.
     */
    int scalar(final int position, final int c) {
        final int start = c == '-' ? position + 1 : position;
        final int first = c == '-' ? bytes.at(start) : c;
        int i;
        if (first == '0') {
            i = start + 1;
        } else if (first > '0' && first <= '9') {
            i = bytes.skipDigits(start + 1);
        } else {
            return c == '-' ? mistake.at(start, "expected a digit") : literal(position);
        }
        if (bytes.at(i) == '.') {
            i = digits(i + 1);
        }
        if (i >= 0 && (bytes.at(i) | 0x20) == 'e') {
            final int sign = bytes.at(i + 1);
            i = digits(sign == '+' || sign == '-' ? i + 2 : i + 1);
        }
        if (i - position > JsonFormat.NUMBER_LENGTH_MAX) {
            return mistake.at(position, "number longer than " + JsonFormat.NUMBER_LENGTH_MAX + " bytes");
        }
        return i;
    }

    private int digits(final int position) {
        final int end = bytes.skipDigits(position);
        return end > position ? end : mistake.at(position, "expected a digit");
    }

    private int literal(final int position) {
        final long word = bytes.word(position);
        final long firstFour = MessageBytes.firstBytes(word, 4);
        if (firstFour == TRUE || firstFour == NULL) {
            return position + 4;
        }
        if (MessageBytes.firstBytes(word, 5) == FALSE) {
            return position + 5;
        }
        final boolean isMark = position == 0 && MessageBytes.firstBytes(word, 3) == BYTE_ORDER_MARK;
        return mistake.at(position, isMark ? "expected a value, not a byte order mark" : "expected a value");
    }
}
