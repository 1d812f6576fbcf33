package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.BlockColumns;
import io.penstock.broker.query.column.Column;
import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.NumberForm;
import io.penstock.broker.query.scan.RangeScan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leaves rows that may be among the first of an order, by the field that is the first one of the order, and takes all
 * others: of these it is known that so many others come before them. Of equal values the first row comes first; blocks may come in any
 * order, and where one comes after a later one, equal values are left.
 *
 * <p>Either numbers are told apart or texts, whichever there are more of in the first block. All other values come before
 * these or behind them.
 */
public final class TopRows implements BlockCollector {
    /** Up to so many are looked for. */
    public static final int COUNT_MAX = 1 << 16;

    private static final double EXACT_MAX = 0x1p53;

    private final Column column;
    private final TopOrder order;
    private final BestScores best;
    private final long[] values = new long[Long.SIZE];
    private final double[] scores = new double[Long.SIZE * ColumnPart.WORD_COUNT];
    private boolean isDecided;
    private boolean isOfUse = true;

    /** Whether rows whose values are as that of the last of the best come behind it. */
    private boolean areEqualBehind;

    /** Of texts; null when numbers are told apart. */
    private @Nullable TextRanks ranks;

    private int mainKind = ColumnKind.NUMBER;

    /** Whether numbers of the present block are behind that are not in a range of values. */
    private boolean hasRange;

    private long low;
    private long high;

    /**
     * Makes it.
     *
     * @param column of the first field of the order.
     * @param order  of its values.
     * @param best   what is known of rows so far, of this source and others.
     */
    public TopRows(final Column column, final TopOrder order, final BestScores best) {
        this.column = column;
        this.order = order;
        this.best = best;
    }

    @Override
    public void addColumns(final List<Column> into) {
        if (!into.contains(column)) {
            into.add(column);
        }
    }

    @Override
    public boolean mayCollectAll() {
        return isDecided && isOfUse && best.isBounded();
    }

    @Override
    public boolean collectAll(final BlockColumns block, final long firstRow) {
        if (!mayCollectAll()) {
            return false;
        }
        // No score of these rows is among the best, so rows of blocks before this one may still be behind equal ones.
        best.share();
        areEqualBehind = best.isNext(this, firstRow) && order.isOnlyTerm();
        return isBehind(block.part(column));
    }

    @Override
    public int collect(final BlockColumns block, final long firstRow, final long[] rows, final int from, final int to) {
        areEqualBehind = best.advance(this, firstRow + (long) from * Long.SIZE) && order.isOnlyTerm();
        final ColumnPart part = block.part(column);
        if (!decide(part, rows, from, to)) {
            return 0;
        }
        best.share();
        final boolean isPassedOver = isBehind(part);
        hasRange = !isPassedOver && ranks == null && best.isBounded() && part.has(ColumnKind.NUMBER) && findRange(part);
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

    /** False when nothing can be said, since others have their scores on another scale. */
    private boolean decide(final ColumnPart part, final long[] rows, final int from, final int to) {
        int numberCount = 0;
        int textCount = 0;
        for (int word = from; word < to && !isDecided; word++) {
            numberCount += Long.bitCount(rows[word] & PartTotals.kind(part, ColumnKind.NUMBER, word));
            textCount += Long.bitCount(rows[word] & PartTotals.kind(part, ColumnKind.TEXT, word));
        }
        if (numberCount + textCount == 0) {
            return isOfUse;
        }
        isDecided = true;
        final boolean areTexts = textCount > numberCount;
        isOfUse = (!areTexts || column.texts().count() <= TextRanks.COUNT_MAX)
                && best.claim(areTexts ? column : BestScores.NUMBERS);
        if (isOfUse && areTexts) {
            ranks = new TextRanks(column.texts());
            mainKind = ColumnKind.TEXT;
        }
        return isOfUse;
    }

    /** Whether no row of a block can be among the first. */
    private boolean isBehind(final ColumnPart part) {
        if (!best.isBounded() || part.has(ColumnKind.OTHER) || part.has(ColumnKind.OBJECT)) {
            return false;
        }
        for (int kind = ColumnKind.NULL; kind <= ColumnKind.TEXT; kind++) {
            if (part.has(kind) && order.isBefore(kind, mainKind)) {
                return false;
            }
        }
        return !part.has(mainKind)
                || (ranks == null && isBehind(score(part, order.isDescending() ? part.max() : part.min())));
    }

    private boolean isBehind(final double score) {
        return score < best.bound() || (areEqualBehind && best.isFullWithout(score) && Math.abs(score) < EXACT_MAX);
    }

    /** The greater, the earlier. */
    private double score(final ColumnPart part, final long key) {
        final double number = NumberForm.number(part.form(), key);
        return order.isDescending() ? number : -number;
    }

    /**
     * Finds the keys that are not behind; those of higher scores are none either. False when their distances have no room.
     */
    private boolean findRange(final ColumnPart part) {
        if (part.max() - part.min() < 0) {
            return false;
        }
        final boolean isDescending = order.isDescending();
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

    /** Of some rows those that are behind, by what is known up to each of them. */
    private long behind(final ColumnPart part, final int word, final long rows) {
        for (long rest = rows & others(part, word, true); rest != 0; rest &= rest - 1) {
            best.add(Double.POSITIVE_INFINITY);
        }
        long behind = best.isBounded() ? rows & others(part, word, false) : 0;
        long ahead = rows & PartTotals.kind(part, mainKind, word);
        if (hasRange && ahead != 0) {
            final long inside = RangeScan.all(part.valuesAddress(word), part.shift(), low, high);
            behind |= ahead & ~inside;
            ahead &= inside;
        }
        if (ahead == 0) {
            return behind;
        }
        WordValues.read(part, word, ahead, values);
        return behind | (ranks == null ? numbersBehind(part, word, ahead) : textsBehind(ranks, word, ahead));
    }

    private long numbersBehind(final ColumnPart part, final int word, final long rows) {
        final long base = part.base();
        long behind = 0;
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            behind |= note(word * Long.SIZE + row, score(part, base + values[row])) ? 1L << row : 0;
        }
        return behind;
    }

    private long textsBehind(final TextRanks of, final int word, final long rows) {
        long behind = 0;
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            final int rank = of.rank((int) values[row]);
            if (rank == TextRanks.UNKNOWN) {
                scores[word * Long.SIZE + row] = Double.POSITIVE_INFINITY;
            } else {
                behind |= note(word * Long.SIZE + row, order.isDescending() ? rank : -rank) ? 1L << row : 0;
            }
        }
        return behind;
    }

    /** Notes the score of a row; true when the row is behind. */
    private boolean note(final int row, final double score) {
        scores[row] = score;
        if (best.isBounded() && isBehind(score)) {
            return true;
        }
        best.add(score);
        return false;
    }

    /** Rows before all that are told apart, or behind them. */
    private long others(final ColumnPart part, final int word, final boolean areBefore) {
        long rows = 0;
        for (int kind = ColumnKind.NULL; kind <= ColumnKind.TEXT; kind++) {
            if (kind != mainKind && kind != ColumnKind.OBJECT && order.isBefore(kind, mainKind) == areBefore) {
                rows |= PartTotals.kind(part, kind, word);
            }
        }
        return rows;
    }

    /** Takes those that turned out to be behind others of their block. */
    private int lookAgain(final ColumnPart part, final long[] rows, final int from, final int to) {
        if (!best.isBounded()) {
            return 0;
        }
        final double bound = best.bound();
        int count = 0;
        for (int word = from; word < to; word++) {
            if (rows[word] == 0) {
                continue;
            }
            long behind = rows[word] & others(part, word, false);
            final long known = rows[word] & PartTotals.kind(part, mainKind, word);
            for (long rest = known; rest != 0; rest &= rest - 1) {
                final int row = Long.numberOfTrailingZeros(rest);
                behind |= scores[word * Long.SIZE + row] < bound ? 1L << row : 0;
            }
            rows[word] &= ~behind;
            count += Long.bitCount(behind);
        }
        return count;
    }
}
