package io.penstock.broker.query.collect;

import io.penstock.broker.filter.value.Numbers;
import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.NumberForm;
import io.penstock.broker.query.column.TextDictionary;

/**
 * A field of the key of groups: a small number for each value, the same for values that are equal there. Texts have the
 * number of their code, integers even ones and other numbers odd ones, in the order in which they are met.
 */
final class KeyField {
    private static final int NULL_ID = 0;
    private static final int TRUE_ID = 1;
    private static final int FALSE_ID = 2;
    private static final int FIRST_TEXT_ID = 3;
    private static final int FIRST_NUMBER_ID = FIRST_TEXT_ID + TextDictionary.COUNT_MAX;

    private final LongIds integers = new LongIds();
    private final LongIds reals = new LongIds();

    private final long[] values = new long[Long.SIZE];

    /** The code of a text, by its number here; negative when it is none. */
    static int code(final int id) {
        return id < FIRST_NUMBER_ID ? id - FIRST_TEXT_ID : -1;
    }

    /** Whether all numbers of a block are finite: others are null in a key. */
    static boolean areFinite(final ColumnPart part) {
        return part.form() != NumberForm.REAL
                || !part.has(ColumnKind.NUMBER)
                || (part.min() > NumberForm.keyMin(NumberForm.REAL) && part.max() < NumberForm.keyMax(NumberForm.REAL));
    }

    /**
     * Numbers the values of some rows.
     *
     * @param part of their block.
     * @param word of a bitmap of its rows.
     * @param rows of the word, whose values are known.
     * @param into gets the numbers from {@code word * 64} on; anything for other rows of the word.
     */
    void ids(final ColumnPart part, final int word, final long rows, final int[] into) {
        final int first = word * Long.SIZE;
        final long texts = part.has(ColumnKind.TEXT) ? rows & part.kind(ColumnKind.TEXT, word) : 0;
        if (texts != 0) {
            WordValues.read(part, word, texts, values);
            for (int i = 0; i < Long.SIZE; i++) {
                into[first + i] = FIRST_TEXT_ID + ((int) values[i] & TextDictionary.COUNT_MAX - 1);
            }
        }
        if (texts != rows) {
            otherIds(part, word, rows & ~texts, into);
        }
    }

    private void otherIds(final ColumnPart part, final int word, final long rows, final int[] into) {
        final int first = word * Long.SIZE;
        final long numberRows = part.has(ColumnKind.NUMBER) ? rows & part.kind(ColumnKind.NUMBER, word) : 0;
        final long trueRows = part.has(ColumnKind.TRUE) ? part.kind(ColumnKind.TRUE, word) : 0;
        final long falseRows = part.has(ColumnKind.FALSE) ? part.kind(ColumnKind.FALSE, word) : 0;
        for (long rest = rows & ~numberRows; rest != 0; rest &= rest - 1) {
            final long bit = rest & -rest;
            into[first + Long.numberOfTrailingZeros(rest)] =
                    (trueRows & bit) != 0 ? TRUE_ID : (falseRows & bit) != 0 ? FALSE_ID : NULL_ID;
        }
        if (numberRows != 0) {
            WordValues.read(part, word, numberRows, values);
            for (long rest = numberRows; rest != 0; rest &= rest - 1) {
                final int row = Long.numberOfTrailingZeros(rest);
                into[first + row] = FIRST_NUMBER_ID + numberId(part.form(), part.base() + values[row]);
            }
        }
    }

    private int numberId(final int form, final long key) {
        if (form == NumberForm.INTEGER) {
            return 2 * integers.idOf(key);
        }
        final double number = NumberForm.number(form, key);
        return Numbers.isLong(number)
                ? 2 * integers.idOf((long) number)
                : 2 * reals.idOf(Double.doubleToRawLongBits(number)) + 1;
    }
}
