package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.NumberForm;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The different values of each group. Texts are known by their codes: the first row of a text in a group hands it over, and
 * all others find a bit set. Numbers are handed over, unless the row before had the same one in the same group.
 */
final class DistinctTotals extends PartTotals {
    /** Groups below this have a bit for each code. */
    private static final int BITMAP_GROUP_COUNT = 64;

    private static final int TRUE_BIT = 1;
    private static final int FALSE_BIT = 2;

    private final ColumnRow row;
    private final long[] values = new long[Long.SIZE];
    private final @Nullable long[][] codes = new long[BITMAP_GROUP_COUNT][];

    /** Of a group and a code together, in groups that have no bits. */
    private final LongIds pairs = new LongIds();

    private int pairCount;

    /** Which booleans were met, by group. */
    private byte[] booleans = new byte[1];

    private int lastGroup = GroupTarget.NO_GROUP;
    private long lastNumber;

    DistinctTotals(final int part, final int slot, final ColumnRow row, final GroupTarget target) {
        super(part, slot, target);
        this.row = row;
    }

    @Override
    long known(final ColumnPart of, final int word, final long rows) {
        return KeyField.areFinite(of) ? rows : rows & ~kind(of, ColumnKind.NUMBER, word);
    }

    @Override
    void ensure(final int groupCount) {
        if (groupCount > booleans.length) {
            booleans = Arrays.copyOf(booleans, Math.max(groupCount, 2 * booleans.length));
        }
    }

    @Override
    void add(final ColumnPart of, final int word, final long rows, final int[] groups) {
        final long texts = rows & kind(of, ColumnKind.TEXT, word);
        if (texts != 0) {
            addTexts(of, word, texts, groups);
        }
        final long numbers = numbers(of, word, rows);
        if (numbers != 0) {
            addNumbers(of, word, numbers, groups);
        }
        addBooleans(word, rows & kind(of, ColumnKind.TRUE, word), TRUE_BIT, groups);
        addBooleans(word, rows & kind(of, ColumnKind.FALSE, word), FALSE_BIT, groups);
    }

    private void addTexts(final ColumnPart of, final int word, final long rows, final int[] groups) {
        WordValues.read(of, word, rows, values);
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int each = Long.numberOfTrailingZeros(rest);
            final int at = word * Long.SIZE + each;
            if (isNew(groups[at], (int) values[each])) {
                target.addDistinct(groups[at], part, row.at(at));
            }
        }
    }

    private boolean isNew(final int group, final int code) {
        if (group >= BITMAP_GROUP_COUNT) {
            if (pairs.idOf((long) group << Integer.SIZE | code) < pairCount) {
                return false;
            }
            pairCount++;
            return true;
        }
        final int at = code / Long.SIZE;
        long[] bits = codes[group];
        if (bits == null || at >= bits.length) {
            bits = bits == null ? new long[at + 1] : Arrays.copyOf(bits, Math.max(at + 1, 2 * bits.length));
            codes[group] = bits;
        }
        final boolean isNew = (bits[at] & 1L << code) == 0;
        bits[at] |= 1L << code;
        return isNew;
    }

    private void addNumbers(final ColumnPart of, final int word, final long rows, final int[] groups) {
        WordValues.read(of, word, rows, values);
        final long base = of.base();
        final int form = of.form();
        // Keys of another block may have another form.
        lastGroup = GroupTarget.NO_GROUP;
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int each = Long.numberOfTrailingZeros(rest);
            final int group = groups[word * Long.SIZE + each];
            final long key = base + values[each];
            if (group != lastGroup || key != lastNumber) {
                lastGroup = group;
                lastNumber = key;
                if (form == NumberForm.INTEGER) {
                    target.addDistinct(group, part, key);
                } else {
                    target.addDistinct(group, part, NumberForm.number(form, key));
                }
            }
        }
    }

    private void addBooleans(final int word, final long rows, final int bit, final int[] groups) {
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int at = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
            if ((booleans[groups[at]] & bit) == 0) {
                booleans[groups[at]] |= bit;
                target.addDistinct(groups[at], part, row.at(at));
            }
        }
    }

    /** All is handed over at once. */
    @Override
    void flush() {}
}
