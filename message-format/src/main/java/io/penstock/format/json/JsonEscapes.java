package io.penstock.format.json;

import org.agrona.MutableDirectBuffer;

/** Resolves the escapes of a JSON string into UTF-8. A surrogate without its partner becomes U+FFFD. */
final class JsonEscapes {
    private static final int ESCAPE_LENGTH = 6;
    private static final int LONE_SURROGATE = -1;
    private static final int REPLACEMENT = 0xFFFD;

    private JsonEscapes() {}

    /**
     * Decodes a string.
     *
     * @param bytes  of the message.
     * @param start  of the string, after its quote.
     * @param end    of the string, at its quote.
     * @param target that grows to hold the text from offset 0.
     * @return the length of the text in bytes, at most that of the string.
     */
    static int decode(final JsonBytes bytes, final int start, final int end, final MutableDirectBuffer target) {
        int length = 0;
        int i = start;
        while (i < end) {
            final int c = bytes.at(i);
            if (c != '\\') {
                target.putByte(length++, (byte) c);
                i++;
            } else if (bytes.at(i + 1) == 'u') {
                final int codePoint = codePoint(bytes, i);
                length = putUtf8(target, length, codePoint == LONE_SURROGATE ? REPLACEMENT : codePoint);
                i += escapeLength(codePoint);
            } else {
                target.putByte(length++, plain(bytes.at(i + 1)));
                i += 2;
            }
        }
        return length;
    }

    private static byte plain(final int escaped) {
        return switch (escaped) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> (byte) escaped;
        };
    }

    /**
     * Finds a surrogate without its partner.
     *
     * @param bytes of the message.
     * @param start of a string, after its quote.
     * @param end   of the string, at its quote.
     * @return the position of its escape, or a negative number when there is none.
     */
    static int loneSurrogate(final JsonBytes bytes, final int start, final int end) {
        int i = bytes.skipToQuoteOrBackslash(start);
        while (i < end) {
            if (bytes.at(i + 1) == 'u') {
                final int codePoint = codePoint(bytes, i);
                if (codePoint == LONE_SURROGATE) {
                    return i;
                }
                i = bytes.skipToQuoteOrBackslash(i + escapeLength(codePoint));
            } else {
                i = bytes.skipToQuoteOrBackslash(i + 2);
            }
        }
        return -1;
    }

    private static int escapeLength(final int codePoint) {
        return codePoint > 0xFFFF ? 2 * ESCAPE_LENGTH : ESCAPE_LENGTH;
    }

    private static int codePoint(final JsonBytes bytes, final int position) {
        final int unit = unit(bytes, position);
        if (!Character.isSurrogate((char) unit)) {
            return unit;
        }
        final int next = position + ESCAPE_LENGTH;
        final boolean isPair = Character.isHighSurrogate((char) unit)
                && bytes.at(next) == '\\'
                && bytes.at(next + 1) == 'u'
                && Character.isLowSurrogate((char) unit(bytes, next));
        return isPair ? Character.toCodePoint((char) unit, (char) unit(bytes, next)) : LONE_SURROGATE;
    }

    private static int unit(final JsonBytes bytes, final int position) {
        int unit = 0;
        for (int i = position + 2; i < position + ESCAPE_LENGTH; i++) {
            unit = (unit << 4) | (Character.digit(bytes.at(i), 16) & 0xF);
        }
        return unit;
    }

    private static int putUtf8(final MutableDirectBuffer target, final int offset, final int codePoint) {
        int i = offset;
        if (codePoint < 0x80) {
            target.putByte(i++, (byte) codePoint);
            return i;
        }
        if (codePoint < 0x800) {
            target.putByte(i++, (byte) (0xC0 | (codePoint >> 6)));
        } else {
            if (codePoint < 0x10000) {
                target.putByte(i++, (byte) (0xE0 | (codePoint >> 12)));
            } else {
                target.putByte(i++, (byte) (0xF0 | (codePoint >> 18)));
                target.putByte(i++, followingByte(codePoint >> 12));
            }
            target.putByte(i++, followingByte(codePoint >> 6));
        }
        target.putByte(i++, followingByte(codePoint));
        return i;
    }

    private static byte followingByte(final int bits) {
        return (byte) (0x80 | (bits & 0x3F));
    }
}
