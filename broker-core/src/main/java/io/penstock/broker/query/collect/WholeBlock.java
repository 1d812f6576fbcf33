package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.shard.store.StateStore;
import org.agrona.UnsafeApi;

/**
 * The values of a block all of whose rows count, and the groups of these rows: two to a word, those of the same row at the same
 * place, in an order that values of 2 and 4 bytes share. The loops do the same with each word, so that compilers turn them into
 * instructions for several words. Confined to one query agent.
 *
 * <pre>
 *   4 bytes   word i:                             rows r and r + 32 of 64, as they lie in the column
 *   2 bytes   word i, rows r, r + 16, r + 32, r + 48 of 64  ->  word i: rows r and r + 32,  word i + 512: rows r + 16 and r + 48
 * </pre>
 */
final class WholeBlock {
    /** Words with two values each. */
    static final int WORD_COUNT = StateStore.BLOCK_LENGTH / 2;

    /** The lower value of a word. */
    static final long LOWER = 0xFFFF_FFFFL;

    static final int UPPER_ROW = Long.SIZE / 2;

    private static final int HALF_COUNT = WORD_COUNT / 2;
    private static final long MASK_OF_16 = 0x0000_FFFF_0000_FFFFL;
    private static final long ARRAY_OFFSET = UnsafeApi.arrayBaseOffset(long[].class);
    private static final int NO_SLOT = -1;

    private final long[] values = new long[WORD_COUNT];
    private final long[] groups = new long[WORD_COUNT];
    private int slot = NO_SLOT;

    /** Whether the values of a part can be read. */
    static boolean canRead(final ColumnPart part) {
        return part.shift() <= 2;
    }

    /** Another block comes. */
    void begin() {
        slot = NO_SLOT;
    }

    /**
     * The values of a part of the present block.
     *
     * @param ofSlot number of the part in the query.
     * @param part   that can be read.
     * @return values; good until those of another part are asked for.
     */
    long[] values(final int ofSlot, final ColumnPart part) {
        if (slot != ofSlot) {
            slot = ofSlot;
            UnsafeApi.copyMemory(
                    null, part.valuesAddress(0), values, ARRAY_OFFSET, (long) StateStore.BLOCK_LENGTH << part.shift());
            if (part.shift() == 1) {
                spread(values);
            }
        }
        return values;
    }

    private static void spread(final long[] values) {
        for (int i = 0; i < HALF_COUNT; i++) {
            final long four = values[i];
            values[i] = four & MASK_OF_16;
            values[i + HALF_COUNT] = four >>> Short.SIZE & MASK_OF_16;
        }
    }

    /** A word with two values. */
    static long two(final int lower, final int upper) {
        return (lower & LOWER) | (long) upper << Integer.SIZE;
    }

    /** The row whose value is the lower one of a word; that of the upper one is {@link #UPPER_ROW} rows behind. */
    static int row(final int word) {
        final int inGroup = word / ColumnPart.WORD_COUNT;
        return word % ColumnPart.WORD_COUNT * Long.SIZE + inGroup;
    }

    /** The groups of the rows; all 0 when nobody has set them. */
    long[] groups() {
        return groups;
    }
}
