package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.BlockColumns;
import io.penstock.broker.query.column.Column;
import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.NumberForm;
import io.penstock.broker.query.scan.RangeScan;
import java.util.List;

/**
 * Leaves rows that may be among the first of an order, by the field that is the first one of the order, and takes all
 * others: of these it is known that so many others come before them. Blocks are asked in the order of their rows.
 */
public final class TopRows implements BlockCollector {
    /** Up to so many are looked for. */
    public static final int COUNT_MAX = 1 << 16;

    private static final double EXACT_MAX = 0x1p53;

    private final Column column;
    private final boolean isDescending;
    private final boolean isNullFirst;
    private final boolean isOnlyTerm;
    private final BestScores best;
    private final long[] values = new long[Long.SIZE];
    private final double[] scores = new double[Long.SIZE * ColumnPart.WORD_COUNT];

    /** Whether rows of the present block are behind that are not in a range of values. */
    private boolean hasRange;

    private long low;
    private long high;

    /**
     * Makes it.
     *
     * @param column       of the first field of the order.
     * @param isDescending whether greater values come first.
     * @param isNullFirst  whether nulls come before all values.
     * @param isOnlyTerm   whether equal values are in the order of their rows.
     * @param best         what is known of rows so far, of this source and those before it.
     */
    public TopRows(
            final Column column,
            final boolean isDescending,
            final boolean isNullFirst,
            final boolean isOnlyTerm,
            final BestScores best) {
        this.column = column;
        this.isDescending = isDescending;
        this.isNullFirst = isNullFirst;
        this.isOnlyTerm = isOnlyTerm;
        this.best = best;
    }

    @Override
    public void addColumns(final List<Column> into) {
        if (!into.contains(column)) {
            into.add(column);
        }
    }

    @Override
    public int collect(final BlockColumns block, final long[] rows, final int from, final int to) {
        final ColumnPart part = block.part(column);
        final boolean isPassedOver = isBehind(part);
        hasRange = !isPassedOver && best.isFull() && part.has(ColumnKind.NUMBER) && findRange(part);
        int count = 0;
        for (int word = from; word < to; word++) {
            if (rows[word] != 0) {
                final long taken = isPassedOver ? rows[word] : behind(part, word, rows[word]);
                rows[word] &= ~taken;
                count += Long.bitCount(taken);
            }
        }
        return isPassedOver ? count : count + lookAgain(part, rows, from, to);
    }

    /** Whether no row of a block can be among the first. */
    private boolean isBehind(final ColumnPart part) {
        if (!best.isFull() || part.has(ColumnKind.OTHER) || part.has(ColumnKind.OBJECT) || hasBetter(part)) {
            return false;
        }
        return !part.has(ColumnKind.NUMBER) || isBehind(score(part, isDescending ? part.max() : part.min()));
    }

    /**
     * Finds the keys that are not behind; those of higher scores are none either. False when their distances have no room.
     */
    private boolean findRange(final ColumnPart part) {
        if (part.max() - part.min() < 0) {
            return false;
        }
        long first = part.min();
        long last = part.max();
        // Of the keys from first to last some at one end are behind, or none, or all.
        while (first < last) {
            final long middle = isDescending ? first + ((last - first) >>> 1) : last - ((last - first) >>> 1);
            final boolean isBehind = isBehind(score(part, middle));
            if (isDescending) {
                first = isBehind ? middle + 1 : first;
                last = isBehind ? last : middle;
            } else {
                last = isBehind ? middle - 1 : last;
                first = isBehind ? first : middle;
            }
        }
        low = (isDescending ? first : part.min()) - part.base();
        high = (isDescending ? part.max() : first) - part.base();
        return true;
    }

    /** Whether there may be values that come before all numbers. */
    private boolean hasBetter(final ColumnPart part) {
        return (isNullFirst && part.has(ColumnKind.NULL))
                || (isDescending
                        ? part.has(ColumnKind.TEXT)
                        : part.has(ColumnKind.TRUE) || part.has(ColumnKind.FALSE));
    }

    private boolean isBehind(final double score) {
        final double least = best.least();
        return score < least || (score == least && isOnlyTerm && Math.abs(score) < EXACT_MAX);
    }

    /** The greater, the earlier. */
    private double score(final ColumnPart part, final long key) {
        final double number = NumberForm.number(part.form(), key);
        return isDescending ? number : -number;
    }

    /** Of some rows those that are behind, by what is known up to each of them. */
    private long behind(final ColumnPart part, final int word, final long rows) {
        final long numbers = rows & PartTotals.kind(part, ColumnKind.NUMBER, word);
        final long better = rows & better(part, word);
        for (long rest = better; rest != 0; rest &= rest - 1) {
            best.add(Double.POSITIVE_INFINITY);
        }
        long behind = best.isFull() ? rows & worse(part, word) : 0;
        if (numbers == 0) {
            return behind;
        }
        final long ahead =
                hasRange ? numbers & RangeScan.all(part.valuesAddress(word), part.shift(), low, high) : numbers;
        behind |= numbers & ~ahead;
        if (ahead == 0) {
            return behind;
        }
        WordValues.read(part, word, ahead, values);
        final long base = part.base();
        for (long rest = ahead; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            final double score = score(part, base + values[row]);
            scores[word * Long.SIZE + row] = score;
            if (best.isFull() && isBehind(score)) {
                behind |= 1L << row;
            } else {
                best.add(score);
            }
        }
        return behind;
    }

    /** Rows before all numbers. */
    private long better(final ColumnPart part, final int word) {
        final long nulls = isNullFirst ? PartTotals.kind(part, ColumnKind.NULL, word) : 0;
        return nulls | (isDescending ? PartTotals.kind(part, ColumnKind.TEXT, word) : booleans(part, word));
    }

    /** Rows behind all numbers. */
    private long worse(final ColumnPart part, final int word) {
        final long nulls = isNullFirst ? 0 : PartTotals.kind(part, ColumnKind.NULL, word);
        return nulls | (isDescending ? booleans(part, word) : PartTotals.kind(part, ColumnKind.TEXT, word));
    }

    private static long booleans(final ColumnPart part, final int word) {
        return PartTotals.kind(part, ColumnKind.TRUE, word) | PartTotals.kind(part, ColumnKind.FALSE, word);
    }

    /** Takes those that turned out to be behind others of their block. */
    private int lookAgain(final ColumnPart part, final long[] rows, final int from, final int to) {
        if (!best.isFull()) {
            return 0;
        }
        final double least = best.least();
        int count = 0;
        for (int word = from; word < to; word++) {
            long behind = rows[word] & worse(part, word);
            final long numbers = rows[word] & PartTotals.kind(part, ColumnKind.NUMBER, word);
            for (long rest = numbers; rest != 0; rest &= rest - 1) {
                final int row = Long.numberOfTrailingZeros(rest);
                behind |= scores[word * Long.SIZE + row] < least ? 1L << row : 0;
            }
            rows[word] &= ~behind;
            count += Long.bitCount(behind);
        }
        return count;
    }
}
