package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.ColumnPart;
import org.agrona.UnsafeApi;

/** Takes the values of 64 rows out of the words in which they lie, in the order of rows. */
final class WordValues {
    /** Rows of a word up to which they are looked at one by one. */
    static final int FEW = 10;

    private static final int WORDS_OF_16 = 16;
    private static final int WORDS_OF_32 = 32;
    private static final long MASK_OF_16 = 0xFFFF;
    private static final long MASK_OF_32 = 0xFFFF_FFFFL;

    private WordValues() {}

    /**
     * Takes the values of some rows.
     *
     * @param part of a block.
     * @param word of a bitmap of its rows.
     * @param rows whose values are wanted, of the 64.
     * @param into gets them at the places of the rows; anything at other places.
     */
    static void read(final ColumnPart part, final int word, final long rows, final long[] into) {
        if (Long.bitCount(rows) <= FEW) {
            for (long rest = rows; rest != 0; rest &= rest - 1) {
                final int row = Long.numberOfTrailingZeros(rest);
                into[row] = part.value(word * Long.SIZE + row);
            }
            return;
        }
        final long address = part.valuesAddress(word);
        switch (part.shift()) {
            case 1 -> read16(address, into);
            case 2 -> read32(address, into);
            default -> {
                for (int i = 0; i < Long.SIZE; i++) {
                    into[i] = UnsafeApi.getLong(address + (long) i * Long.BYTES);
                }
            }
        }
    }

    private static void read16(final long address, final long[] into) {
        for (int i = 0; i < WORDS_OF_16; i++) {
            final long values = UnsafeApi.getLong(address + (long) i * ColumnPart.WORD_STRIDE);
            into[i] = values & MASK_OF_16;
            into[i + WORDS_OF_16] = values >>> 16 & MASK_OF_16;
            into[i + 2 * WORDS_OF_16] = values >>> 32 & MASK_OF_16;
            into[i + 3 * WORDS_OF_16] = values >>> 48;
        }
    }

    private static void read32(final long address, final long[] into) {
        for (int i = 0; i < WORDS_OF_32; i++) {
            final long values = UnsafeApi.getLong(address + (long) i * ColumnPart.WORD_STRIDE);
            into[i] = values & MASK_OF_32;
            into[i + WORDS_OF_32] = values >>> 32;
        }
    }
}
