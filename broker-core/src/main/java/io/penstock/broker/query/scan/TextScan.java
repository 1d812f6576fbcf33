package io.penstock.broker.query.scan;

import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.TextDictionary;
import org.agrona.UnsafeApi;

/** The texts of a column for which a test is accepted, by what it says of each text's code. Confined to one query agent. */
final class TextScan {
    /** Of one text, and of several: about, for 64 rows, in tens of cycles. */
    private static final int ONLY_COST = 2;

    private static final int SEVERAL_COST = 12;

    /** Words in which the codes of 64 rows are, when they have 2 bytes. */
    private static final int WORDS_OF_CODES = 16;

    /** Candidates of a word up to which they are looked up without the others. */
    private static final int FEW = 20;

    /** Such are looked up so many at a time. */
    private static final int FEW_STEP = 4;

    private static final int SHORT_SHIFT = 1;

    /** From the first code of 64 rows to that of each row, and of none. */
    private static final int[] OFFSETS = offsets();

    private final TextAnswers texts;
    private final RowsInRange ranges;

    TextScan(final TextAnswers texts, final RowsInRange ranges) {
        this.texts = texts;
        this.ranges = ranges;
    }

    /** Asks the test about texts that are new, up to a limit; false when there are more. */
    boolean update(final int limit) {
        return texts.update(limit);
    }

    /**
     * Adds the rows of a block whose texts are accepted, and those that have to be asked.
     *
     * @param part       of the column.
     * @param candidates rows that may be added.
     * @param from       first word of the bitmaps.
     * @param to         word behind the last one.
     * @param held       where rows are added whose texts are accepted.
     * @param unknown    where rows are added that have to be asked.
     * @return whether it has looked at values.
     */
    boolean add(
            final ColumnPart part,
            final long[] candidates,
            final int from,
            final int to,
            final long[] held,
            final long[] unknown) {
        final boolean isHeld = (part.codes() & texts.heldCodes()) != 0;
        final boolean isUnknown = (part.codes() & texts.unknownCodes()) != 0;
        if (isHeld && texts.onlyHeld() != TextDictionary.NONE) {
            ranges.range(texts.onlyHeld(), texts.onlyHeld(), true, true);
            ranges.add(part, ColumnKind.TEXT, candidates, from, to, held);
        } else if (isHeld && part.shift() == SHORT_SHIFT) {
            addShort(part, candidates, from, to, held);
        } else if (isHeld) {
            addEach(part, candidates, from, to, texts.held(), held);
        }
        if (isUnknown) {
            addEach(part, candidates, from, to, texts.unknown(), unknown);
        }
        return isHeld || isUnknown;
    }

    private void addShort(
            final ColumnPart part, final long[] candidates, final int from, final int to, final long[] held) {
        final byte[] answers = texts.held();
        final boolean areAll = part.kinds() == 1 << ColumnKind.TEXT;
        for (int word = from; word < to; word++) {
            final long rows = candidates[word] & (areAll ? -1 : part.kind(ColumnKind.TEXT, word));
            if (rows != 0) {
                final long address = part.valuesAddress(word);
                held[word] |= rows & (Long.bitCount(rows) > FEW ? all(address, answers) : some(address, rows, answers));
            }
        }
    }

    /** Of the codes of 64 rows those that have the answer 1; any one where there is no code. */
    private static long all(final long address, final byte[] answers) {
        final int mask = answers.length - 1;
        long rows = 0;
        for (int i = 0; i < WORDS_OF_CODES; i++) {
            final long codes = UnsafeApi.getLong(address + (long) i * ColumnPart.WORD_STRIDE);
            final long found = answers[(int) codes & mask]
                    | (long) answers[(int) (codes >>> 16) & mask] << 16
                    | (long) answers[(int) (codes >>> 32) & mask] << 32
                    | (long) answers[(int) (codes >>> 48) & mask] << 48;
            rows |= found << i;
        }
        return rows;
    }

    /**
     * The same, of some rows; any one for others. Several are looked up without a branch, perhaps more than there are: their
     * number differs from word to word, so a branch for each would be foreseen wrongly for nearly each word.
     */
    private static long some(final long address, final long rows, final byte[] answers) {
        final int mask = answers.length - 1;
        long found = 0;
        long rest = rows;
        while (rest != 0) {
            for (int i = 0; i < FEW_STEP; i++) {
                // 64 when none is left, which is looked up and shifted like row 0.
                final int row = Long.numberOfTrailingZeros(rest);
                final int code = UnsafeApi.getShort(address + OFFSETS[row]);
                found |= (long) answers[code & mask] << row;
                rest &= rest - 1;
            }
        }
        return found;
    }

    private static int[] offsets() {
        final int[] offsets = new int[Long.SIZE + 1];
        for (int row = 0; row < Long.SIZE; row++) {
            offsets[row] = row % WORDS_OF_CODES * ColumnPart.WORD_STRIDE + ((row / WORDS_OF_CODES) << SHORT_SHIFT);
        }
        return offsets;
    }

    /** Adds rows whose codes have the answer 1. */
    private static void addEach(
            final ColumnPart part,
            final long[] candidates,
            final int from,
            final int to,
            final byte[] answers,
            final long[] into) {
        for (int word = from; word < to; word++) {
            final long rows = candidates[word] == 0 ? 0 : candidates[word] & part.kind(ColumnKind.TEXT, word);
            long found = 0;
            for (long rest = rows; rest != 0; rest &= rest - 1) {
                final int row = Long.numberOfTrailingZeros(rest);
                final int code = (int) part.value(word * Long.SIZE + row);
                found |= (long) answers[code & answers.length - 1] << row;
            }
            into[word] |= found;
        }
    }

    /** How much it costs, about. */
    int cost() {
        return texts.onlyHeld() == TextDictionary.NONE ? SEVERAL_COST : ONLY_COST;
    }
}
