package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.TextDictionary;
import io.penstock.broker.shard.store.StateStore;
import java.util.Arrays;
import org.agrona.BitUtil;

/**
 * Adds blocks all of whose rows count to groups, without a look at which rows are of which kind: where each column that is needed
 * has values of one kind, of 2 or 4 bytes, and there is no key or one that is a text. Other blocks it leaves. Rows of a group are
 * counted once for all of its parts, and handed to the group together with its totals. Confined to one query agent.
 */
final class WholeBlocks {
    /** Rows after which it is looked for groups that have as many; so no total is of more than twice as many. */
    private static final int COUNT_MAX = SumTotals.COUNT_MAX / 2;

    /** Groups beyond which rows go one by one, so that totals by group take little memory. */
    private static final int GROUP_COUNT_MAX = TextDictionary.COUNT_MAX;

    /** Words of a block whose rows are looked up one by one, when their groups are not known. */
    private static final int FIRST_COUNT_MAX = 64;

    /** In place of the group of a row that was added. */
    private static final int ADDED = Integer.MAX_VALUE;

    private final GroupSlots slots;
    private final ColumnRow row;
    private final PartTotals[] totals;
    private final GroupTarget target;
    private final WholeBlock values = new WholeBlock();

    /** Rows of each group; as long as a power of two. */
    private int[] counts = new int[1];

    private int rowCount;

    /** Rows of the present block that were the first ones of their groups. */
    private int firstCount;

    WholeBlocks(final GroupSlots slots, final ColumnRow row, final PartTotals[] totals, final GroupTarget target) {
        this.slots = slots;
        this.row = row;
        this.totals = totals;
        this.target = target;
    }

    /**
     * Adds all rows of the present block, if it can.
     *
     * @param rows bitmap of rows that are to be added, in which those that were are cleared.
     * @param from first word of the bitmap.
     * @param to   word behind the last one.
     * @return count of rows that were added.
     */
    int add(final long[] rows, final int from, final int to) {
        if (!areAll(rows, from, to) || slots.groupCount() >= GROUP_COUNT_MAX || !slots.canFindWhole()) {
            return 0;
        }
        for (final PartTotals each : totals) {
            if (!each.canAddWhole(row.part(each.slot))) {
                return 0;
            }
        }
        values.begin();
        firstCount = 0;
        if (!slots.findWhole(values) && !addFirst(rows)) {
            return firstCount;
        }
        Arrays.fill(rows, from, to, 0);
        addAll(slots.groupCount());
        rowCount += StateStore.BLOCK_LENGTH;
        if (rowCount >= COUNT_MAX) {
            rowCount = 0;
            handOver(COUNT_MAX);
        }
        return StateStore.BLOCK_LENGTH;
    }

    /** Adds the first row of each group that is not known. False when there are too many of them, or no room for one. */
    private boolean addFirst(final long[] rows) {
        final long[] groups = values.groups();
        int askedCount = 0;
        for (int i = 0; i < groups.length; i++) {
            final int lower = (int) groups[i];
            final int upper = (int) (groups[i] >>> Integer.SIZE);
            if ((lower | upper) < 0) {
                if (++askedCount > FIRST_COUNT_MAX) {
                    return false;
                }
                final int at = WholeBlock.row(i);
                final int newLower = lower < 0 ? find(rows, at) : lower;
                final int newUpper = upper < 0 ? find(rows, at + WholeBlock.UPPER_ROW) : upper;
                if ((newLower | newUpper) < 0) {
                    return false;
                }
                groups[i] = WholeBlock.two(newLower, newUpper);
            }
        }
        final int groupCount = slots.groupCount();
        for (int i = 0; i < groups.length && firstCount > 0; i++) {
            final int lower = (int) groups[i];
            final int upper = (int) (groups[i] >>> Integer.SIZE);
            if (lower == ADDED || upper == ADDED) {
                groups[i] = WholeBlock.two(lower == ADDED ? groupCount : lower, upper == ADDED ? groupCount : upper);
            }
        }
        return true;
    }

    /** The group of a row, or that it was added; no group when there is no room for one. */
    private int find(final long[] rows, final int at) {
        final int word = at / Long.SIZE;
        if (slots.find(word, 1L << at) != 0) {
            return slots.groups()[at];
        }
        if (slots.refused() != 0) {
            return GroupTarget.NO_GROUP;
        }
        firstCount++;
        rows[word] &= ~(1L << at);
        return ADDED;
    }

    private void addAll(final int groupCount) {
        // Rows that were added are in a group behind the last one, which nobody wants.
        final int withAdded = firstCount == 0 ? groupCount : groupCount + 1;
        if (withAdded > counts.length) {
            counts = Arrays.copyOf(counts, BitUtil.findNextPositivePowerOfTwo(withAdded));
        }
        count();
        for (final PartTotals each : totals) {
            each.ensure(withAdded);
            each.addWhole(row.part(each.slot), values);
            if (firstCount > 0) {
                each.drop(groupCount);
            }
        }
        if (firstCount > 0) {
            counts[groupCount] = 0;
        }
    }

    private static boolean areAll(final long[] rows, final int from, final int to) {
        long all = to - from == ColumnPart.WORD_COUNT ? -1 : 0;
        for (int word = from; word < to; word++) {
            all &= rows[word];
        }
        return all == -1;
    }

    private void count() {
        if (slots.isWhole()) {
            counts[0] += StateStore.BLOCK_LENGTH;
            return;
        }
        final int[] to = counts;
        final int mask = to.length - 1;
        for (final long two : values.groups()) {
            to[(int) two & mask]++;
            to[(int) (two >>> Integer.SIZE) & mask]++;
        }
    }

    /** Hands the totals of groups to them that have so many rows at least. */
    private void handOver(final int countMin) {
        for (int group = 0; group < counts.length; group++) {
            final int count = counts[group];
            if (count >= countMin) {
                counts[group] = 0;
                target.addRows(group, count);
                for (final PartTotals each : totals) {
                    each.handOver(group, count);
                }
            }
        }
    }

    /** Hands all totals to the groups. */
    void flush() {
        handOver(1);
        rowCount = 0;
    }

    /** Whether all rows of a part are numbers. */
    static boolean areNumbers(final ColumnPart part) {
        return part.kinds() == 1 << ColumnKind.NUMBER && WholeBlock.canRead(part);
    }
}
