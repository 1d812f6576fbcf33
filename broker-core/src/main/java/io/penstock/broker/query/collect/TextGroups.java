package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.UnsafeApi;

/** The groups of rows whose only key is a text of a dictionary. */
final class TextGroups {
    private static final int CAPACITY_INITIAL = 64;
    private static final int WORDS_OF_16 = 16;

    /** By the text's code; as long as a power of two. */
    private int[] groups = new int[CAPACITY_INITIAL];

    TextGroups() {
        Arrays.fill(groups, GroupTarget.NO_GROUP);
    }

    /** Makes room for codes below a count. */
    void ensure(final int count) {
        final int length = groups.length;
        if (count > length) {
            groups = Arrays.copyOf(groups, BitUtil.findNextPositivePowerOfTwo(count));
            Arrays.fill(groups, length, groups.length, GroupTarget.NO_GROUP);
        }
    }

    /** Notes the group of a text, unless its code is negative. */
    void note(final int code, final int group) {
        if (code >= 0) {
            groups[code] = group;
        }
    }

    /**
     * Finds the groups of rows, if all of them have texts whose groups are known.
     *
     * @param part of their block, for whose codes there is room.
     * @param word of a bitmap of its rows.
     * @param rows of the word.
     * @param into gets the groups from {@code word * 64} on; anything for other rows of the word.
     * @return whether it has found them.
     */
    boolean find(final ColumnPart part, final int word, final long rows, final int[] into) {
        if (part.shift() != 1
                || Long.bitCount(rows) <= WordValues.FEW
                || (rows & ~PartTotals.kind(part, ColumnKind.TEXT, word)) != 0) {
            return false;
        }
        final int[] known = groups;
        final int mask = known.length - 1;
        final long address = part.valuesAddress(word);
        final int first = word * Long.SIZE;
        int all = 0;
        for (int i = 0; i < WORDS_OF_16; i++) {
            final long codes = UnsafeApi.getLong(address + (long) i * ColumnPart.WORD_STRIDE);
            final int at = first + i;
            final int group0 = known[(int) codes & mask];
            final int group1 = known[(int) (codes >>> 16) & mask];
            final int group2 = known[(int) (codes >>> 32) & mask];
            final int group3 = known[(int) (codes >>> 48) & mask];
            into[at] = group0;
            into[at + WORDS_OF_16] = group1;
            into[at + 2 * WORDS_OF_16] = group2;
            into[at + 3 * WORDS_OF_16] = group3;
            all |= group0 | group1 | group2 | group3;
        }
        return all >= 0 || areKnown(first, rows, into);
    }

    /**
     * Finds the groups of all rows of a block, which have texts.
     *
     * @param part of the block, whose values have 2 bytes, and for whose codes there is room.
     * @param into gets the groups, {@link GroupTarget#NO_GROUP} where they are not known, in the order of {@link WholeBlock}.
     * @return whether all are known.
     */
    boolean findWhole(final ColumnPart part, final long[] into) {
        final int[] known = groups;
        final int mask = known.length - 1;
        final long address = part.valuesAddress(0);
        final int half = WholeBlock.WORD_COUNT / 2;
        long all = 0;
        for (int i = 0; i < half; i++) {
            final long codes = UnsafeApi.getLong(address + (long) i * Long.BYTES);
            final long even = WholeBlock.two(known[(int) codes & mask], known[(int) (codes >>> 32) & mask]);
            final long odd = WholeBlock.two(known[(int) (codes >>> 16) & mask], known[(int) (codes >>> 48) & mask]);
            into[i] = even;
            into[i + half] = odd;
            all |= even | odd;
        }
        return all >= 0 && (int) all >= 0;
    }

    private static boolean areKnown(final int first, final long rows, final int[] found) {
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            if (found[first + Long.numberOfTrailingZeros(rest)] == GroupTarget.NO_GROUP) {
                return false;
            }
        }
        return true;
    }
}
