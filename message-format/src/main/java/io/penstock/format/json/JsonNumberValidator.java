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
     * @return the position after it.
     */
    int scalar(final int position) {
        final long word = bytes.word(position);
        final int first = (int) word & 0xFF;
        final int start = first == '-' ? position + 1 : position;
        final long digits = first == '-' ? bytes.word(start) : word;
        final int length = Swar.firstByte(Swar.scalarEnds(digits));
        return length < MessageBytes.WORD_LENGTH && isPlain(digits, length) ? start + length : number(position, first);
    }

    /** Whether the first bytes of a word are digits, perhaps with a point among them, and no zero in front. */
    private static boolean isPlain(final long word, final int length) {
        final long others = MessageBytes.firstBytes(Swar.nonDigits(word), length);
        final int wholeLength = others == 0 ? length : Swar.firstByte(others);
        if (wholeLength == 0 || ((word & 0xFF) == '0' && wholeLength > 1)) {
            return false;
        }
        // A byte that is no ASCII may make bytes above it seem to be no digits, but is itself no point.
        return others == 0
                || ((others & (others - 1)) == 0
                        && (word >>> (wholeLength * Byte.SIZE) & 0xFF) == '.'
                        && wholeLength < length - 1);
    }

    private int number(final int position, final int c) {
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
