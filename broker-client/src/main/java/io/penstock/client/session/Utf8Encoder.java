package io.penstock.client.session;

import org.agrona.MutableDirectBuffer;

/** Internal: writes strings as UTF-8 without allocating. A surrogate without its partner becomes a question mark, as in the JDK. */
public final class Utf8Encoder {
    /** Internal: of a char, in bytes; a pair of surrogates has less for each. */
    public static final int CHAR_LENGTH_MAX = 3;

    private Utf8Encoder() {}

    /** Internal: the length of a text as UTF-8, in bytes. */
    public static int length(final String text) {
        int length = 0;
        for (int i = 0, end = text.length(); i < end; i++) {
            final char c = text.charAt(i);
            if (c < 0x80) {
                length++;
            } else if (c < 0x800) {
                length += 2;
            } else if (!Character.isSurrogate(c)) {
                length += 3;
            } else if (isPair(text, i)) {
                length += 4;
                i++;
            } else {
                length++;
            }
        }
        return length;
    }

    /** Writes a text and returns the index after it. */
    static int encode(final String text, final MutableDirectBuffer buffer, final int offset) {
        int index = offset;
        for (int i = 0, end = text.length(); i < end; i++) {
            final char c = text.charAt(i);
            if (c < 0x80) {
                buffer.putByte(index++, (byte) c);
            } else if (c < 0x800) {
                buffer.putByte(index++, (byte) (0xC0 | (c >> 6)));
                buffer.putByte(index++, (byte) (0x80 | (c & 0x3F)));
            } else if (!Character.isSurrogate(c)) {
                buffer.putByte(index++, (byte) (0xE0 | (c >> 12)));
                buffer.putByte(index++, (byte) (0x80 | ((c >> 6) & 0x3F)));
                buffer.putByte(index++, (byte) (0x80 | (c & 0x3F)));
            } else if (isPair(text, i)) {
                final int codePoint = Character.toCodePoint(c, text.charAt(++i));
                buffer.putByte(index++, (byte) (0xF0 | (codePoint >> 18)));
                buffer.putByte(index++, (byte) (0x80 | ((codePoint >> 12) & 0x3F)));
                buffer.putByte(index++, (byte) (0x80 | ((codePoint >> 6) & 0x3F)));
                buffer.putByte(index++, (byte) (0x80 | (codePoint & 0x3F)));
            } else {
                buffer.putByte(index++, (byte) '?');
            }
        }
        return index;
    }

    private static boolean isPair(final String text, final int i) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
    }
}
