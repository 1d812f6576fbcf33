package io.penstock.broker.query.column;

import io.penstock.broker.shard.store.StateStore;
import org.agrona.UnsafeApi;

/**
 * A value for each row of a block, in 2, 4 or 8 bytes outside the heap. What is stored is the distance from a base; in 2
 * and 4 bytes it has 15 and 31 bits, so that several are compared at once in the word in which they lie. Owned by whoever
 * has the columns of the block.
 *
 * <p>The values of 64 rows lie in words so that what is found in a word at the place of each value goes to the place of its
 * row by one shift:
 *
 * <pre>
 *   2 bytes   word 0: rows 0, 16, 32, 48   word 1: rows 1, 17, 33, 49   ...   word 15
 *   4 bytes   word 0: rows 0, 32           word 1: rows 1, 33           ...   word 31
 *   8 bytes   word 0: row 0                word 1: row 1                ...   word 63
 * </pre>
 *
 * <p>With 2 and 4 bytes word 0 of all 64 rows comes first, of which there are 32, then word 1 of all of them, and so on. So what is
 * found in word 1 is brought to what was found in word 0 for several times 64 rows at once, by instructions for vectors. With 8
 * bytes the words of 64 rows lie together.
 */
final class PartValues {
    static final int SHIFT_MIN = 1;
    static final int SHIFT_MAX = 3;

    private static final int ROW_SHIFT = 6;
    private static final int GROUP_LENGTH = 1 << ROW_SHIFT;

    private final int shift;
    private final long address;

    /** Takes memory that was counted, for values of 2 to the power of a shift bytes; all are 0. */
    PartValues(final int shift) {
        this.shift = shift;
        address = UnsafeApi.allocateMemory(length(shift));
        UnsafeApi.setMemory(address, length(shift), (byte) 0);
    }

    /** Bytes of the values of a block. */
    static long length(final int shift) {
        return (long) StateStore.BLOCK_LENGTH << shift;
    }

    /** The least shift for distances up to one. */
    static int shiftOf(final long distance) {
        if (distance < 0) {
            return SHIFT_MAX;
        }
        return distance < capacity(1) ? 1 : distance < capacity(2) ? 2 : SHIFT_MAX;
    }

    /** Distances that have room in a value: below this; with the greatest shift all. */
    static long capacity(final int shift) {
        return shift == SHIFT_MAX ? Long.MAX_VALUE : 1L << ((Byte.SIZE << shift) - 1);
    }

    int shift() {
        return shift;
    }

    long get(final int row) {
        final long at = address(row);
        return switch (shift) {
            case SHIFT_MIN -> UnsafeApi.getShort(at);
            case 2 -> UnsafeApi.getInt(at);
            default -> UnsafeApi.getLong(at);
        };
    }

    void put(final int row, final long value) {
        final long at = address(row);
        switch (shift) {
            case SHIFT_MIN -> UnsafeApi.putShort(at, (short) value);
            case 2 -> UnsafeApi.putInt(at, (int) value);
            default -> UnsafeApi.putLong(at, value);
        }
    }

    /** Where the value of a row is. */
    long address(final int row) {
        if (shift == SHIFT_MAX) {
            return address + (long) row * Long.BYTES;
        }
        final int wordShift = ROW_SHIFT - SHIFT_MAX + shift;
        final int inGroup = row & GROUP_LENGTH - 1;
        final int word = inGroup & (1 << wordShift) - 1;
        final int place = inGroup >> wordShift;
        return address
                + (long) word * ColumnPart.WORD_STRIDE
                + ((long) (row >> ROW_SHIFT) << SHIFT_MAX)
                + ((long) place << shift);
    }

    void free() {
        UnsafeApi.freeMemory(address);
    }
}
