package io.penstock.broker.filter.value;

import org.agrona.DirectBuffer;

/** Compares texts by their bytes, which for UTF-8 is the order of code points. */
public final class Texts {
    private Texts() {}

    static int compare(final Register left, final Register right) {
        final int length = Math.min(left.length(), right.length());
        final DirectBuffer leftBuffer = left.buffer();
        final DirectBuffer rightBuffer = right.buffer();
        for (int i = 0; i < length; i++) {
            final byte a = leftBuffer.getByte(left.offset() + i);
            final byte b = rightBuffer.getByte(right.offset() + i);
            if (a != b) {
                return (a & 0xFF) - (b & 0xFF);
            }
        }
        return left.length() - right.length();
    }

    /** Returns whether a text stands at a place in another; it does not where it would not fit. */
    static boolean regionEquals(final Register text, final int at, final Register part) {
        if (at < 0 || at + part.length() > text.length()) {
            return false;
        }
        return equal(text.buffer(), text.offset() + at, part.buffer(), part.offset(), part.length());
    }

    static boolean equal(
            final DirectBuffer left,
            final int leftOffset,
            final DirectBuffer right,
            final int rightOffset,
            final int length) {
        if (length < Long.BYTES) {
            return areShortEqual(left, leftOffset, right, rightOffset, length);
        }
        final int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            if (left.getLong(leftOffset + i) != right.getLong(rightOffset + i)) {
                return false;
            }
        }
        return left.getLong(leftOffset + last) == right.getLong(rightOffset + last);
    }

    private static boolean areShortEqual(
            final DirectBuffer left,
            final int leftOffset,
            final DirectBuffer right,
            final int rightOffset,
            final int length) {
        if (length >= Integer.BYTES) {
            final int last = length - Integer.BYTES;
            return left.getInt(leftOffset) == right.getInt(rightOffset)
                    && left.getInt(leftOffset + last) == right.getInt(rightOffset + last);
        }
        for (int i = 0; i < length; i++) {
            if (left.getByte(leftOffset + i) != right.getByte(rightOffset + i)) {
                return false;
            }
        }
        return true;
    }

    /** Where a part first stands in a text, in bytes from its start, or negative. */
    public static int indexOf(final Register text, final Register part) {
        return indexOf(text, part, TextSearch.factors(part.buffer(), part.offset(), part.length()));
    }

    /** Where a part whose {@link TextSearch#factors} are known first stands in a text. */
    public static int indexOf(final Register text, final Register part, final long factors) {
        final int found = TextSearch.find(
                text.buffer(),
                text.offset(),
                text.offset() + text.length(),
                part.buffer(),
                part.offset(),
                part.length(),
                factors);
        return found < 0 ? found : found - text.offset();
    }
}
