package io.penstock.broker.format;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The bytes of one message, in words of eight with the first byte lowest. Behind the last byte zeros are read, which are
 * valid nowhere in JSON; memory behind it never is. Positions count from the start of the message.
 *
 * <p>The {@code skip} methods rely on a validated message. On other bytes they return some position that is not before
 * the one given, and still read nothing outside.
 */
final class JsonBytes {
    private final UnsafeBuffer view = new UnsafeBuffer(new byte[0]);
    private int length;

    void wrap(final DirectBuffer buffer, final int offset, final int messageLength) {
        view.wrap(buffer, offset, messageLength);
        length = messageLength;
    }

    int length() {
        return length;
    }

    DirectBuffer view() {
        return view;
    }

    int at(final int position) {
        return position < length ? view.getByte(position) & 0xFF : 0;
    }

    long word(final int position) {
        return position <= length - Swar.WORD_LENGTH
                ? view.getLong(position, ByteOrder.LITTLE_ENDIAN)
                : lastWord(position);
    }

    private long lastWord(final int position) {
        final int left = length - position;
        if (left <= 0) {
            return 0;
        }
        if (length >= Swar.WORD_LENGTH) {
            final long word = view.getLong(length - Swar.WORD_LENGTH, ByteOrder.LITTLE_ENDIAN);
            return word >>> ((Swar.WORD_LENGTH - left) * Byte.SIZE);
        }
        long word = 0;
        for (int i = length - 1; i >= position; i--) {
            word = word << Byte.SIZE | (view.getByte(i) & 0xFF);
        }
        return word;
    }

    int skipSpace(final int position) {
        int i = position;
        int c = at(i);
        while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            c = at(++i);
        }
        return i;
    }

    /** From between two members or elements to the next one, or to the closing bracket. */
    int skipToItem(final int position) {
        int i = position;
        int c = at(i);
        while (c == ',' || c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            c = at(++i);
        }
        return i;
    }

    int skipDigits(final int position) {
        int i = position;
        long nonDigits = Swar.nonDigits(word(i));
        while (nonDigits == 0) {
            i += Swar.WORD_LENGTH;
            nonDigits = Swar.nonDigits(word(i));
        }
        return i + Swar.firstByte(nonDigits);
    }

    /** From within a string to its closing quote or the next backslash. */
    int skipPlainText(final int position) {
        int i = position;
        long ends = Swar.quotesAndBackslashes(word(i));
        while (ends == 0 && i < length) {
            i += Swar.WORD_LENGTH;
            ends = Swar.quotesAndBackslashes(word(i));
        }
        return Math.min(length, i + Swar.firstByte(ends));
    }

    /** From within a string, but not within an escape, to its closing quote. */
    int skipText(final int position) {
        int i = skipPlainText(position);
        while (at(i) == '\\') {
            i = skipPlainText(i + 2);
        }
        return i;
    }

    /** From the opening quote of a string to behind the closing one. */
    int skipString(final int position) {
        return Math.min(length, skipText(position + 1) + 1);
    }

    /** From the first byte of a value to behind its last one. */
    int skipValue(final int position) {
        final int c = at(position);
        if (c == '"') {
            return skipString(position);
        }
        return c == '{' || c == '[' ? skipToEndBracket(position + 1) : skipScalar(position);
    }

    /** Whether a position is where no value can start: at a comma, a closing bracket, white space or the end. */
    boolean isScalarEnd(final int position) {
        return (Swar.scalarEnds(word(position)) & 0x80) != 0;
    }

    int skipScalar(final int position) {
        int i = position;
        long ends = Swar.scalarEnds(word(i));
        while (ends == 0) {
            i += Swar.WORD_LENGTH;
            ends = Swar.scalarEnds(word(i));
        }
        return Math.min(length, i + Swar.firstByte(ends));
    }

    /** From within an array or object, but not within a string, to behind its closing bracket. */
    int skipToEndBracket(final int position) {
        int depth = 1;
        int i = position;
        while (i < length) {
            final long stops = Swar.quotesAndBrackets(word(i));
            if (stops == 0) {
                i += Swar.WORD_LENGTH;
                continue;
            }
            i += Swar.firstByte(stops);
            final int c = at(i);
            if (c == '"') {
                i = skipString(i);
                continue;
            }
            i++;
            if (c == '{' || c == '[') {
                depth++;
            } else if (--depth == 0) {
                return i;
            }
        }
        return length;
    }
}
