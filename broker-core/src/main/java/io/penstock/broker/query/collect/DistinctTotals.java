package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.NumberForm;
import java.util.Arrays;

/**
 * The different values of each group. The first row with a value in a group hands it to the group, which keeps it; in the
 * first groups all others find a bit set, for texts by their codes, for numbers by their keys as far as these are near those
 * of the first block. What has no bit is handed over again, or for texts is looked up here.
 */
final class DistinctTotals extends PartTotals {
    private static final int TRUE_BIT = 1;
    private static final int FALSE_BIT = 2;
    private static final int NO_FORM = -1;

    /** Parts from here on have no bits, which take up to 1 MiB for each. */
    private static final int BIT_PART_COUNT = 8;

    private final ColumnRow row;

    /** Groups from here on have no bits. */
    private final int bitGroupCount;

    private final long[] values = new long[Long.SIZE];
    private final GroupBits codes = new GroupBits();

    /** Of a group and a code together, in groups that have no bits. */
    private final LongIds pairs = new LongIds();

    private int pairCount;

    private final GroupBits keys = new GroupBits();

    /** Of the numbers that the bits are about. */
    private int keyForm = NO_FORM;

    /** The key that has the first bit. */
    private long firstKey;

    /** Which booleans were met, by group. */
    private byte[] booleans = new byte[1];

    DistinctTotals(final int part, final int slot, final ColumnRow row, final GroupTarget target) {
        super(part, slot, target);
        this.row = row;
        bitGroupCount = part < BIT_PART_COUNT ? GroupBits.GROUP_COUNT : 0;
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
        if (group < bitGroupCount) {
            return codes.isNew(group, code);
        }
        if (pairs.idOf((long) group << Integer.SIZE | code) < pairCount) {
            return false;
        }
        pairCount++;
        return true;
    }

    private void addNumbers(final ColumnPart of, final int word, final long rows, final int[] groups) {
        WordValues.read(of, word, rows, values);
        if (of.form() != keyForm) {
            begin(of);
        }
        final long base = of.base();
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int each = Long.numberOfTrailingZeros(rest);
            final int group = groups[word * Long.SIZE + each];
            final long key = base + values[each];
            final long distance = key - firstKey;
            if (distance < 0
                    || distance >= GroupBits.RANGE
                    || group >= bitGroupCount
                    || keys.isNew(group, (int) distance)) {
                addNumber(of.form(), key, group);
            }
        }
    }

    /** Numbers of another form: no key of theirs has a bit, and those of the first block get one, unless they are too far apart. */
    private void begin(final ColumnPart of) {
        keyForm = of.form();
        keys.clear();
        final long range = of.max() - of.min();
        final long spare = range >= 0 && range < GroupBits.RANGE ? (GroupBits.RANGE - range) / 2 : 0;
        firstKey = of.min() - spare;
    }

    private void addNumber(final int form, final long key, final int group) {
        if (form == NumberForm.INTEGER) {
            target.addDistinct(group, part, key);
        } else {
            target.addDistinct(group, part, NumberForm.number(form, key));
        }
    }

    private void addBooleans(final int word, final long rows, final int bit, final int[] groups) {
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int at = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
            if ((booleans[groups[at]] & bit) == 0) {
                booleans[groups[at]] = (byte) (booleans[groups[at]] | bit);
                target.addDistinct(groups[at], part, row.at(at));
            }
        }
    }

    /** All is handed over at once. */
    @Override
    boolean canAddWhole(final ColumnPart of) {
        return false;
    }

    @Override
    void addWhole(final ColumnPart of, final WholeBlock values) {
        throw new UnsupportedOperationException("distinct: not of whole blocks");
    }

    @Override
    void handOver(final int group, final long count) {
        throw new UnsupportedOperationException("distinct: not of whole blocks");
    }

    @Override
    void drop(final int group) {
        throw new UnsupportedOperationException("distinct: not of whole blocks");
    }

    @Override
    void flush() {}
}
