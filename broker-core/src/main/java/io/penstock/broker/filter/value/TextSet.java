package io.penstock.broker.filter.value;

import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** A set of texts, looked up without copying: open addressing, at most half full. */
final class TextSet {
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

    private final @Nullable Register[] table;

    /** Takes the texts among some constants. */
    TextSet(final Register[] constants) {
        final Register[] texts =
                Arrays.stream(constants).filter(Register::isText).toArray(Register[]::new);
        table = new Register[BitUtil.findNextPositivePowerOfTwo(2 * texts.length + 1)];
        for (final Register text : texts) {
            table[index(text)] = text;
        }
    }

    boolean contains(final Register text) {
        return table[index(text)] != null;
    }

    /** Where a text is in the table, or the hole where it would go. */
    private int index(final Register text) {
        int index = (int) (hash(text) >>> 40) & (table.length - 1);
        Register present = table[index];
        while (present != null && !isEqual(present, text)) {
            index = (index + 1) & (table.length - 1);
            present = table[index];
        }
        return index;
    }

    private static boolean isEqual(final Register left, final Register right) {
        return left.length() == right.length() && Texts.regionEquals(left, 0, right);
    }

    /** Hashes the length and the first and the last eight bytes, which distinguish most texts. */
    private static long hash(final Register text) {
        final DirectBuffer buffer = text.buffer();
        final int offset = text.offset();
        final int length = text.length();
        long word = length;
        if (length >= Long.BYTES) {
            word += buffer.getLong(offset) * HASH_FACTOR + buffer.getLong(offset + length - Long.BYTES);
        } else if (length >= Integer.BYTES) {
            word += buffer.getInt(offset) * HASH_FACTOR + buffer.getInt(offset + length - Integer.BYTES);
        } else {
            for (int i = 0; i < length; i++) {
                word = word << Byte.SIZE | (buffer.getByte(offset + i) & 0xFF);
            }
        }
        return word * HASH_FACTOR;
    }
}
