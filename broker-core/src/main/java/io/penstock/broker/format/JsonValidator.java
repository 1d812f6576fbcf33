package io.penstock.broker.format;

import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Checks JSON in one pass, without recursion. Positions are as {@link JsonMistake} says. */
final class JsonValidator implements MessageValidator {
    private static final long TRUE = 0x65757274L;
    private static final long FALSE = 0x65736C6166L;
    private static final long NULL = 0x6C6C756EL;
    private static final long FOUR_BYTES = 0xFFFF_FFFFL;
    private static final long FIVE_BYTES = 0xFF_FFFF_FFFFL;
    private static final long BYTE_ORDER_MARK = 0xBFBBEFL;

    private final JsonBytes bytes = new JsonBytes();
    private final JsonMistake mistake = new JsonMistake();
    private final JsonStringValidator strings = new JsonStringValidator(bytes, mistake);
    private int depth;
    /** A bit for each level of nesting, the innermost lowest: whether it is an object. */
    private long objects;

    @Override
    public @Nullable String validate(final DirectBuffer buffer, final int offset, final int length) {
        bytes.wrap(buffer, offset, length);
        depth = 0;
        objects = 0;
        final int end = document();
        return end >= 0 ? null : mistake.describe(~end, length);
    }

    private int document() {
        int i = bytes.skipSpace(0);
        do {
            i = value(i);
            if (i >= 0) {
                i = behindValue(i);
            }
        } while (i >= 0 && depth > 0);
        return i;
    }

    /** From the start of a value to behind the first scalar in it, or to the end bracket of a container with none. */
    private int value(final int position) {
        int i = position;
        int c = bytes.at(i);
        while (c == '{' || c == '[') {
            if (depth == JsonFormat.DEPTH_MAX) {
                return mistake.at(i, "nested deeper than " + JsonFormat.DEPTH_MAX + " levels");
            }
            depth++;
            objects = objects << 1 | (c == '{' ? 1 : 0);
            i = bytes.skipSpace(i + 1);
            if (bytes.at(i) == endBracket(c == '{')) {
                return i;
            }
            if (c == '{') {
                i = name(i);
                if (i < 0) {
                    return i;
                }
            }
            c = bytes.at(i);
        }
        return c == '"' ? strings.string(i) : number(i, c);
    }

    /** From behind a value to the start of the next one, or to the end of the message. */
    private int behindValue(final int position) {
        int i = bytes.skipSpace(position);
        while (depth > 0) {
            final int c = bytes.at(i);
            final boolean inObject = (objects & 1) != 0;
            if (c == ',') {
                i = bytes.skipSpace(i + 1);
                return inObject ? name(i) : i;
            }
            if (c != endBracket(inObject)) {
                return mistake.at(i, inObject ? "expected ',' or '}'" : "expected ',' or ']'");
            }
            depth--;
            objects >>>= 1;
            i = bytes.skipSpace(i + 1);
        }
        return i == bytes.length() ? i : mistake.at(i, "expected nothing behind the value");
    }

    private static int endBracket(final boolean ofObject) {
        return ofObject ? '}' : ']';
    }

    /** From a member's name to its value. */
    private int name(final int position) {
        if (bytes.at(position) != '"') {
            return mistake.at(position, "expected a name in double quotes");
        }
        int i = strings.string(position);
        if (i < 0) {
            return i;
        }
        i = bytes.skipSpace(i);
        return bytes.at(i) == ':' ? bytes.skipSpace(i + 1) : mistake.at(i, "expected ':'");
    }

    private int number(final int position, final int c) {
        if (c != '-' && !isDigit(c)) {
            return literal(position);
        }
        int i = c == '-' ? position + 1 : position;
        if (bytes.at(i) == '0') {
            i++;
        } else {
            i = digits(i);
        }
        if (i >= 0 && bytes.at(i) == '.') {
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

    private static boolean isDigit(final int c) {
        return c >= '0' && c <= '9';
    }

    private int literal(final int position) {
        final long word = bytes.word(position);
        if ((word & FOUR_BYTES) == TRUE || (word & FOUR_BYTES) == NULL) {
            return position + 4;
        }
        if ((word & FIVE_BYTES) == FALSE) {
            return position + 5;
        }
        final boolean isMark = position == 0 && (word & 0xFF_FFFF) == BYTE_ORDER_MARK;
        return mistake.at(position, isMark ? "expected a value, not a byte order mark" : "expected a value");
    }
}
