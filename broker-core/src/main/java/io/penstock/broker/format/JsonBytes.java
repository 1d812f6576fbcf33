package io.penstock.broker.format;

import java.nio.ByteOrder;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one message, in words of eight with the first byte lowest. Behind the last byte zeros are read, which are
 * valid nowhere in JSON; memory behind it never is. Positions count from the start of the message and are not negative.
 *
 * <p>Memory is read past the buffer's own methods. A check against the end of the message is needed here anyway, one that
 * nothing switches off; and to ask first whether the bytes are on the heap lets the compiler keep values in registers
 * across a read, which it cannot when a read may be either.
 *
 * <p>The {@code skip} methods rely on a validated message. On other bytes they return some position that is not before
 * the one given, and still read nothing outside.
 */
final class JsonBytes {
    private static final boolean IS_LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private DirectBuffer buffer = new UnsafeBuffer(new byte[0]);
    private byte @Nullable [] array;
    private long address;
    private int offset;
    private int length;
    private int lastWordPosition;

    void wrap(final DirectBuffer message, final int messageOffset, final int messageLength) {
        Objects.checkFromIndexSize(messageOffset, messageLength, message.capacity());
        buffer = message;
        array = message.byteArray();
        address = message.addressOffset() + messageOffset;
        offset = messageOffset;
        length = messageLength;
        lastWordPosition = messageLength - Swar.WORD_LENGTH;
    }

    DirectBuffer buffer() {
        return buffer;
    }

    /** Where the message starts in the buffer. */
    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    int at(final int position) {
        return position < length ? read(position) & 0xFF : 0;
    }

    long word(final int position) {
        return position <= lastWordPosition ? readWord(position) : lastWord(position);
    }

    /** Not within {@link #word}, which is small enough to be compiled into its callers without this. */
    private long lastWord(final int position) {
        final int left = length - position;
        if (left <= 0) {
            return 0;
        }
        if (lastWordPosition >= 0) {
            return readWord(lastWordPosition) >>> ((Swar.WORD_LENGTH - left) * Byte.SIZE);
        }
        long word = 0;
        for (int i = length - 1; i >= position; i--) {
            word = word << Byte.SIZE | (read(i) & 0xFF);
        }
        return word;
    }

    private byte read(final int position) {
        final byte[] base = array;
        return base == null ? UnsafeApi.getByte(address + position) : UnsafeApi.getByte(base, address + position);
    }

    private long readWord(final int position) {
        final byte[] base = array;
        final long word =
                base == null ? UnsafeApi.getLong(address + position) : UnsafeApi.getLong(base, address + position);
        return IS_LITTLE_ENDIAN ? word : Long.reverseBytes(word);
    }

    int skipSpace(final int position) {
        int i = position;
        int c = at(i);
        while (c <= ' ' && isSpace(c)) {
            c = at(++i);
        }
        return i;
    }

    /** From behind a value or a bracket to the next name or element, or to the closing bracket. */
    int skipToItem(final int position) {
        int i = position;
        int c = at(i);
        while (c <= ',' && (c == ',' || isSpace(c))) {
            c = at(++i);
        }
        return i;
    }

    private static boolean isSpace(final int c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    int skipDigits(final int position) {
        int i = position;
        while (true) {
            final long nonDigits = Swar.nonDigits(word(i));
            if (nonDigits != 0) {
                return i + Swar.firstByte(nonDigits);
            }
            i += Swar.WORD_LENGTH;
        }
    }

    /** From within a string to its closing quote or the next backslash. */
    int skipToQuoteOrBackslash(final int position) {
        int i = position;
        while (true) {
            final long stops = Swar.textStops(word(i));
            if (stops != 0) {
                return i + Swar.firstByte(stops);
            }
            i += Swar.WORD_LENGTH;
        }
    }

    /** From within a string, but not within an escape, to its closing quote. */
    int skipToQuote(final int position) {
        int i = skipToQuoteOrBackslash(position);
        while (at(i) == '\\') {
            i = skipToQuoteOrBackslash(i + 2);
        }
        return i;
    }

    /** From the first byte of a value to behind its last one. */
    int skipValue(final int position) {
        final int c = at(position);
        if (c == '"') {
            return skipToQuote(position + 1) + 1;
        }
        return c == '{' || c == '[' ? skipNested(position + 1) : skipScalar(position);
    }

    private int skipScalar(final int position) {
        int i = position;
        while (true) {
            final long ends = Swar.scalarEnds(word(i));
            if (ends != 0) {
                return i + Swar.firstByte(ends);
            }
            i += Swar.WORD_LENGTH;
        }
    }

    /** Whether no value can start at a position: there is a comma, a closing bracket, white space or the end. */
    boolean isScalarEnd(final int position) {
        return (Swar.scalarEnds(word(position)) & 0x80) != 0;
    }

    /** From behind the opening bracket of an array or object to behind the closing one. */
    private int skipNested(final int position) {
        int depth = 1;
        int i = position;
        while (i < length) {
            final long stops = Swar.quotesAndBrackets(word(i));
            if (stops == 0) {
                i += Swar.WORD_LENGTH;
                continue;
            }
            i += Swar.firstByte(stops);
            final int c = at(i++);
            if (c == '"') {
                i = skipToQuote(i) + 1;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (--depth == 0) {
                return i;
            }
        }
        return i;
    }
}
