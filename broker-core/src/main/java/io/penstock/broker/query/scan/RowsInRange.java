package io.penstock.broker.query.scan;

import io.penstock.broker.query.column.ColumnPart;

/**
 * Adds the rows of a block to a bitmap whose values lie in a range, or do not: one by one where there are few candidates, else
 * 64 at a time or, short values, all of the block. Confined to one query agent; the tests of a filter share one.
 */
final class RowsInRange {
    /** Candidates of a block up to which its short values are not compared all at once, by their shift. */
    private static final int[] FEW_OF_BLOCK = {32, 32, 48};

    /** Candidates of 64 rows up to which they are looked at one by one, when values have 8 bytes. */
    private static final int FEW = 32;

    private final BlockRangeScan scan = new BlockRangeScan();
    private final long[] inside = new long[ColumnPart.WORD_COUNT];
    private long low;
    private long high;
    private long inverse;
    private boolean isNear;

    /**
     * Sets the range.
     *
     * @param from     least value of the range, one that there can be.
     * @param to       greatest one, the same.
     * @param isInside whether values in the range are looked for, and not the others.
     * @param areNear  whether the range and all values that count lie in a range of less than 2^63 values.
     */
    void range(final long from, final long to, final boolean isInside, final boolean areNear) {
        low = from;
        high = to;
        inverse = isInside ? 0 : -1;
        isNear = areNear;
    }

    /**
     * Adds rows.
     *
     * @param part       of the values.
     * @param kind       of values that the range is about.
     * @param candidates rows that may be added, all of which are there.
     * @param from       first word of the bitmaps.
     * @param to         word behind the last one.
     * @param held       where they are added.
     */
    void add(
            final ColumnPart part,
            final int kind,
            final long[] candidates,
            final int from,
            final int to,
            final long[] held) {
        if (part.shift() > BlockRangeScan.SHIFT_MAX
                || RankedTests.count(candidates, from, to) <= FEW_OF_BLOCK[part.shift()]) {
            addByWord(part, kind, candidates, from, to, held);
            return;
        }
        final boolean areAll = part.kinds() == 1 << kind;
        scan.all(part, low, high, inside);
        for (int word = from; word < to; word++) {
            final long rows = candidates[word] & (areAll ? -1 : part.kind(kind, word));
            held[word] |= (inside[word] ^ inverse) & rows;
        }
    }

    private void addByWord(
            final ColumnPart part,
            final int kind,
            final long[] candidates,
            final int from,
            final int to,
            final long[] held) {
        final boolean areLong = isNear && part.shift() > BlockRangeScan.SHIFT_MAX;
        for (int word = from; word < to; word++) {
            final long rows = candidates[word] == 0 ? 0 : candidates[word] & part.kind(kind, word);
            if (rows != 0) {
                final long found = areLong && Long.bitCount(rows) > FEW
                        ? RangeScan.all(part.valuesAddress(word), part.shift(), low, high)
                        : each(part, word, rows);
                held[word] |= (found ^ inverse) & rows;
            }
        }
    }

    /** Of some rows those whose values are in the range. */
    private long each(final ColumnPart part, final int word, final long rows) {
        long found = 0;
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            final long value = part.value(word * Long.SIZE + row);
            found |= value >= low && value <= high ? 1L << row : 0;
        }
        return found;
    }
}
