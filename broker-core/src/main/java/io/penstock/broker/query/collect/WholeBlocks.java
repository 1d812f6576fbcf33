package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.shard.store.StateStore;
import java.util.Arrays;

/**
 * Adds blocks all of whose rows count to groups, without a look at which rows are of which kind: where each column that is needed
 * has values of one kind, of 2 or 4 bytes, and there is no key or one that is a text. Other blocks it leaves. Rows of a group are
 * counted once for all of its parts, and handed to the group together with its totals. Confined to one query agent.
 */
final class WholeBlocks {
    /** Rows after which it is looked for groups that have as many; so no total is of more than twice as many. */
    private static final int COUNT_MAX = SumTotals.COUNT_MAX / 2;

    private final GroupSlots slots;
    private final ColumnRow row;
    private final PartTotals[] totals;
    private final GroupTarget target;
    private final WholeBlock values = new WholeBlock();
    private long[] counts = new long[1];
    private int rowCount;

    WholeBlocks(final GroupSlots slots, final ColumnRow row, final PartTotals[] totals, final GroupTarget target) {
        this.slots = slots;
        this.row = row;
        this.totals = totals;
        this.target = target;
    }

    /**
     * Adds all rows of the present block, if it can.
     *
     * @param rows bitmap of rows that are to be added.
     * @param from first word of the bitmap.
     * @param to   word behind the last one.
     * @return false when nothing was added.
     */
    boolean add(final long[] rows, final int from, final int to) {
        if (!areAll(rows, from, to)) {
            return false;
        }
        for (final PartTotals each : totals) {
            if (!each.canAddWhole(row.part(each.slot))) {
                return false;
            }
        }
        values.begin();
        if (!slots.findWhole(values)) {
            return false;
        }
        final int groupCount = slots.groupCount();
        if (groupCount > counts.length) {
            counts = Arrays.copyOf(counts, Math.max(groupCount, 2 * counts.length));
        }
        count();
        for (final PartTotals each : totals) {
            each.ensure(groupCount);
            each.addWhole(row.part(each.slot), values);
        }
        rowCount += StateStore.BLOCK_LENGTH;
        if (rowCount >= COUNT_MAX) {
            rowCount = 0;
            handOver(COUNT_MAX);
        }
        return true;
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
        final long[] to = counts;
        for (final long two : values.groups()) {
            to[(int) two]++;
            to[(int) (two >>> Integer.SIZE)]++;
        }
    }

    /** Hands the totals of groups to them that have so many rows at least. */
    private void handOver(final int countMin) {
        for (int group = 0; group < counts.length; group++) {
            final long count = counts[group];
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
