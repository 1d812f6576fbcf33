package io.penstock.broker.filter.regex;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Steps over the code points of UTF-8. Messages were validated at publish; bytes that are not UTF-8 all the same count
 * as one code point each, and no step leaves the text.
 */
public final class Utf8 {
    public static final int CODE_POINT_LENGTH_MAX = 4;

    /** Beyond all code points, so that a stray byte equals none. */
    private static final int NOT_UTF8 = 0x200000;

    private Utf8() {}

    private static boolean isContinuation(final byte value) {
        return (value & 0xC0) == 0x80;
    }

    /** Offset of the code point after the one at an offset. */
    public static int next(final DirectBuffer buffer, final int offset, final int end) {
        final byte lead = buffer.getByte(offset);
        int next = offset + 1;
        if (lead < (byte) 0xC0) {
            // A continuation byte with no lead.
            return next;
        }
        if (lead >= 0) {
            return next;
        }
        final int last = Math.min(end, offset + length(lead));
        while (next < last && isContinuation(buffer.getByte(next))) {
            next++;
        }
        return next;
    }

    private static int length(final byte lead) {
        return (lead & 0xE0) == 0xC0 ? 2 : (lead & 0xF0) == 0xE0 ? 3 : CODE_POINT_LENGTH_MAX;
    }

    /** Offset of the code point before an offset that is itself the start or end of one. */
    public static int previous(final DirectBuffer buffer, final int offset, final int start) {
        int previous = offset - 1;
        final int first = Math.max(start, offset - CODE_POINT_LENGTH_MAX);
        while (previous > first && isContinuation(buffer.getByte(previous))) {
            previous--;
        }
        return next(buffer, previous, offset) == offset ? previous : offset - 1;
    }

    /** The code point between two offsets that {@link #next} yields; no code point's number when it is not UTF-8. */
    public static int codePoint(final DirectBuffer buffer, final int offset, final int next) {
        final int lead = buffer.getByte(offset);
        return switch (next - offset) {
            case 2 -> (lead & 0x1F) << 6 | (buffer.getByte(offset + 1) & 0x3F);
            case 3 ->
                (lead & 0x0F) << 12 | (buffer.getByte(offset + 1) & 0x3F) << 6 | (buffer.getByte(offset + 2) & 0x3F);
            case 4 ->
                (lead & 0x07) << 18
                        | (buffer.getByte(offset + 1) & 0x3F) << 12
                        | (buffer.getByte(offset + 2) & 0x3F) << 6
                        | (buffer.getByte(offset + 3) & 0x3F);
            default -> lead >= 0 ? lead : NOT_UTF8 | (lead & 0xFF);
        };
    }

    /** How many code points a text has. */
    public static int count(final DirectBuffer buffer, final int offset, final int length) {
        final int end = offset + length;
        int count = 0;
        for (int at = offset; at < end; at = next(buffer, at, end)) {
            count++;
        }
        return count;
    }

    /** Writes a code point: how many bytes it took. */
    public static int encode(final int point, final MutableDirectBuffer buffer, final int offset) {
        if (point < 0x80) {
            buffer.putByte(offset, (byte) point);
            return 1;
        }
        final int length = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
        int rest = point;
        for (int i = length - 1; i > 0; i--) {
            buffer.putByte(offset + i, (byte) (0x80 | (rest & 0x3F)));
            rest >>= 6;
        }
        buffer.putByte(offset, (byte) ((0xF00 >> length) | rest));
        return length;
    }
}
