package io.penstock.broker.filter.regex;

import org.jspecify.annotations.Nullable;

/** Reads a regular expression a code point at a time. */
final class RegexReader {
    private static final int NUMBER_MAX = 100_000;

    private final int[] points;
    private int index;

    RegexReader(final String pattern) {
        points = pattern.codePoints().toArray();
    }

    RegexException refused(final String reason) {
        return new RegexException(reason + " after " + index + " characters");
    }

    boolean isAtEnd() {
        return index == points.length;
    }

    int peek() throws RegexException {
        if (isAtEnd()) {
            throw refused("it ends too early");
        }
        return points[index];
    }

    int next() throws RegexException {
        final int point = peek();
        index++;
        return point;
    }

    boolean skip(final int point) {
        final boolean isNext = !isAtEnd() && points[index] == point;
        index += isNext ? 1 : 0;
        return isNext;
    }

    boolean skip(final String ascii) {
        final int start = index;
        for (int i = 0; i < ascii.length(); i++) {
            if (!skip(ascii.charAt(i))) {
                index = start;
                return false;
            }
        }
        return true;
    }

    void require(final int point) throws RegexException {
        if (!skip(point)) {
            throw refused("expected " + Character.toString(point));
        }
    }

    /** Goes back to an earlier place. */
    void reset(final int earlierIndex) {
        index = earlierIndex;
    }

    int index() {
        return index;
    }

    /** Steps over {@code P<name>} or {@code <name>}. */
    void groupName() throws RegexException {
        skip('P');
        require('<');
        final int start = index;
        while (Character.isLetterOrDigit(peek()) || peek() == '_') {
            index++;
        }
        if (index == start) {
            throw refused("no group of that kind");
        }
        require('>');
    }

    /** Reads {@code {n}}, {@code {n,}} or {@code {n,m}}: least and most; null and nothing read when it is no such thing. */
    int @Nullable [] counts() {
        final int start = index;
        if (skip('{')) {
            final int countMin = number();
            int countMax = countMin;
            if (countMin >= 0 && skip(',')) {
                countMax = number();
            }
            if (countMin >= 0 && skip('}')) {
                return new int[] {countMin, countMax < 0 ? RegexNode.Repeat.UNLIMITED : countMax};
            }
        }
        index = start;
        return null;
    }

    /** A decimal number, or negative when there is none. */
    private int number() {
        int value = -1;
        while (!isAtEnd() && points[index] >= '0' && points[index] <= '9') {
            value = Math.min(NUMBER_MAX, Math.max(0, value) * 10 + points[index] - '0');
            index++;
        }
        return value;
    }

    /** The code point that a backslash and a character, which has been read, stand for. */
    int escaped(final int point) throws RegexException {
        return switch (point) {
            case 'a' -> 0x07;
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'v' -> 0x0B;
            case 'x' -> hexadecimal();
            default -> {
                if (point >= 0x80 || Character.isLetterOrDigit(point)) {
                    throw refused("no such escape");
                }
                yield point;
            }
        };
    }

    private int hexadecimal() throws RegexException {
        final boolean isBraced = skip('{');
        int value = 0;
        int count = 0;
        while (isBraced ? peek() != '}' : count < 2) {
            final int digit = peek() < 0x80 ? Character.digit(peek(), 16) : -1;
            value = value * 16 + digit;
            if (digit < 0 || value > Character.MAX_CODE_POINT) {
                throw refused("no such code point");
            }
            index++;
            count++;
        }
        if (isBraced) {
            require('}');
        }
        if (count == 0) {
            throw refused("no such code point");
        }
        return value;
    }
}
