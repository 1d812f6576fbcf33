package io.penstock.format.header;

import static org.agrona.BitUtil.SIZE_OF_LONG;

import org.agrona.DirectBuffer;

/** Checks whether bytes are UTF-8 text, without making a string of them. Allocates nothing, safe on any thread. */
final class Utf8Check {
    private static final long NOT_ASCII = 0x8080_8080_8080_8080L;

    private Utf8Check() {}

    /**
     * Checks for well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
     *
     * @param buffer holding the text.
     * @param offset of its first byte.
     * @param length of the text in bytes.
     * @return true when well formed; so for no bytes at all.
     */
    static boolean isWellFormed(final DirectBuffer buffer, final int offset, final int length) {
        final int limit = offset + length;
        int i = offset;
        while (i < limit) {
            if (limit - i >= SIZE_OF_LONG && (buffer.getLong(i) & NOT_ASCII) == 0) {
                i += SIZE_OF_LONG;
            } else if (buffer.getByte(i) >= 0) {
                i++;
            } else {
                final int sequenceLength = sequenceLength(buffer, i, limit);
                if (sequenceLength == 0) {
                    return false;
                }
                i += sequenceLength;
            }
        }
        return true;
    }

    /** The table of well-formed sequences is Unicode 16, chapter 3, table 3-7. */
    private static int sequenceLength(final DirectBuffer buffer, final int i, final int limit) {
        final int lead = buffer.getByte(i) & 0xFF;
        if (lead < 0xC2 || lead > 0xF4) {
            return 0;
        }
        final int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (length > limit - i) {
            return 0;
        }
        final int second = buffer.getByte(i + 1) & 0xFF;
        final int lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        final int highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < lowest || second > highest) {
            return 0;
        }
        for (int k = 2; k < length; k++) {
            if ((buffer.getByte(i + k) & 0xC0) != 0x80) {
                return 0;
            }
        }
        return length;
    }
}
