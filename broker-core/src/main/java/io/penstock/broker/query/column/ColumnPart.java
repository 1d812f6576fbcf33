package io.penstock.broker.query.column;

import io.penstock.broker.filter.value.Register;
import io.penstock.broker.shard.store.StateStore;
import org.agrona.UnsafeApi;

/**
 * A column of one block of rows, outside the heap. Owned by whoever has the columns of the block.
 *
 * <pre>
 *   +------+--------+------+-------+--------+------+-------+-------+---------+
 *   | null | object | true | false | number | text | other | stale | integer |     and a value for each row:
 *   |   bit for each row: 256 bytes each                                     |     {@link PartValues}
 *   +------+--------+------+-------+--------+------+-------+-------+---------+
 * </pre>
 *
 * <p>A row has one kind. Where it is stale, or the block has no such row, neither kind nor value mean anything. The value of
 * a text is its code, that of a number the distance of its key from the part's base. Numbers are of one {@link NumberForm},
 * that of integers until the first one comes that is none; what the form does not hold is of the kind
 * {@link ColumnKind#OTHER}. Which numbers the messages have as integers is kept beside them, since a sum of nothing but
 * integers is one.
 *
 * <p>What is known of the whole part (kinds, least and greatest key, codes of texts) may cover more than there is.
 */
public final class ColumnPart {
    /** Words of a bitmap of the rows. */
    public static final int WORD_COUNT = StateStore.BLOCK_LENGTH / Long.SIZE;

    /** Bytes from a word with values of 2 or 4 bytes of 64 rows to the next one. */
    public static final int WORD_STRIDE = WORD_COUNT * Long.BYTES;

    static final int BITMAP_LENGTH = WORD_COUNT * Long.BYTES;

    private static final int STALE_OFFSET = ColumnKind.COUNT * BITMAP_LENGTH;
    private static final int INTEGER_OFFSET = STALE_OFFSET + BITMAP_LENGTH;
    private static final int BITMAPS_LENGTH = INTEGER_OFFSET + BITMAP_LENGTH;

    /** Of the range of numbers so much, at least, stays free when values are written anew. */
    private static final int ROOM_PART = 8;

    /** Bytes of a part whose values are short. */
    static final long LENGTH_MIN = BITMAPS_LENGTH + PartValues.length(PartValues.SHIFT_MIN);

    private final Column column;
    private final long bitmaps;
    private PartValues values = new PartValues(PartValues.SHIFT_MIN);
    private int kinds;
    private int form = NumberForm.INTEGER;
    private long base;
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;
    private long codes;
    private boolean isStale;
    private boolean hasIntegers;
    private int rowCount;

    /** Takes {@link #LENGTH_MIN} bytes, which the column has taken of the memory of columns. */
    ColumnPart(final Column column) {
        this.column = column;
        bitmaps = UnsafeApi.allocateMemory(BITMAPS_LENGTH);
        UnsafeApi.setMemory(bitmaps, BITMAPS_LENGTH, (byte) 0);
    }

    /**
     * Whether rows may be of a kind.
     *
     * @param kind a {@link ColumnKind}.
     * @return false when none is.
     */
    public boolean has(final int kind) {
        return (kinds & 1 << kind) != 0;
    }

    /** The kinds of which rows may be: a bit for each {@link ColumnKind}. */
    public int kinds() {
        return kinds;
    }

    /**
     * Which rows are of a kind.
     *
     * @param kind a {@link ColumnKind}.
     * @param word of the bitmap.
     * @return a bit for each of 64 rows.
     */
    public long kind(final int kind, final int word) {
        return UnsafeApi.getLong(bitmaps + (long) kind * BITMAP_LENGTH + (long) word * Long.BYTES);
    }

    /**
     * How long values are.
     *
     * @return 1, 2 or 3, for 2, 4 or 8 bytes.
     */
    public int shift() {
        return values.shift();
    }

    /**
     * Where the values of 64 rows begin.
     *
     * @param word of a bitmap.
     * @return address of the first ones; how they lie is said at {@link PartValues}, and those of all rows begin with those of
     *     the first 64.
     */
    public long valuesAddress(final int word) {
        return values.address(word * Long.SIZE);
    }

    /**
     * The value of a row.
     *
     * @param row in the block.
     * @return a text's code, or the distance of a number's key from the base.
     */
    public long value(final int row) {
        return values.get(row);
    }

    /** The form of the numbers. */
    public int form() {
        return form;
    }

    /** From where the keys of numbers are counted. */
    public long base() {
        return base;
    }

    /** No number has a lower key. */
    public long min() {
        return min;
    }

    /** No number has a higher key. */
    public long max() {
        return max;
    }

    /** A bit for the lowest 6 bits of each code of a text. */
    public long codes() {
        return codes;
    }

    /** Whether numbers may be integers in their messages. */
    public boolean hasIntegers() {
        return hasIntegers;
    }

    /**
     * Which numbers are integers in their messages.
     *
     * @param word of the bitmap.
     * @return a bit for each of 64 rows; of rows that are no numbers it means nothing.
     */
    public long integers(final int word) {
        return UnsafeApi.getLong(bitmaps + INTEGER_OFFSET + (long) word * Long.BYTES);
    }

    /** Whether rows have to be read before the part is of use. */
    boolean isStale() {
        return isStale;
    }

    long stale(final int word) {
        return UnsafeApi.getLong(bitmaps + STALE_OFFSET + (long) word * Long.BYTES);
    }

    /** The row is another one since it was put here. */
    void markStale(final int row) {
        isStale = true;
        set(STALE_OFFSET, row, true);
    }

    /** No row was put here so far. */
    void markStale(final int word, final long rows) {
        isStale = true;
        UnsafeApi.putLong(bitmaps + STALE_OFFSET + (long) word * Long.BYTES, rows);
    }

    /** No row is stale in a word of the bitmap. */
    void clearStale(final int word, final long rows) {
        final long at = bitmaps + STALE_OFFSET + (long) word * Long.BYTES;
        UnsafeApi.putLong(at, UnsafeApi.getLong(at) & ~rows);
    }

    /** All rows were put here, so many. */
    void onRead(final int count) {
        isStale = false;
        column.addRows(count - rowCount);
        rowCount = count;
    }

    /** Reads from where a row's value will be put, if it is of a kind as those before: so that this is in the processor's cache. */
    long touch(final int row) {
        final int word = row >> 6;
        return values.get(row)
                + kind(Integer.numberOfTrailingZeros(kinds | 1 << ColumnKind.OTHER), word)
                + integers(word);
    }

    /** Puts the value of a row. */
    void put(final int row, final Register value) {
        switch (value.type()) {
            case ABSENT, NULL -> put(row, ColumnKind.NULL);
            case OBJECT -> put(row, ColumnKind.OBJECT);
            case BOOLEAN -> put(row, value.booleanValue() ? ColumnKind.TRUE : ColumnKind.FALSE);
            case LONG -> putLong(row, value.longValue());
            case DOUBLE -> putReal(row, value.doubleValue());
            case STRING -> putCode(row, column.code(value.buffer(), value.offset(), value.length()));
            case UNTYPED, ARRAY -> put(row, ColumnKind.OTHER);
        }
    }

    private void putLong(final int row, final long value) {
        if (NumberForm.holds(form, value)) {
            hasIntegers = true;
            putNumber(row, NumberForm.key(form, value), true);
        } else {
            put(row, ColumnKind.OTHER);
        }
    }

    private void putReal(final int row, final double value) {
        final int formOfValue = NumberForm.formOf(value, form);
        if (formOfValue != form && !become(formOfValue, row)) {
            put(row, ColumnKind.OTHER);
        } else {
            putNumber(row, NumberForm.key(form, value), false);
        }
    }

    private void putNumber(final int row, final long key, final boolean isInteger) {
        if (isInReach(key) || makeRoom(key, row)) {
            min = Math.min(min, key);
            max = Math.max(max, key);
            put(row, ColumnKind.NUMBER);
            values.put(row, key - base);
            set(INTEGER_OFFSET, row, isInteger);
        } else {
            put(row, ColumnKind.OTHER);
        }
    }

    private boolean isInReach(final long key) {
        if (values.shift() == PartValues.SHIFT_MAX) {
            return true;
        }
        final long distance = key - base;
        return key >= base && distance >= 0 && distance < PartValues.capacity(values.shift());
    }

    /** Changes base and length of the values so that there is room for a key; false when there is no memory. */
    private boolean makeRoom(final long key, final int row) {
        measure(row);
        min = Math.min(min, key);
        max = Math.max(max, key);
        // With little room left the next numbers would move the base again, each of them.
        final long range = max - min;
        final int shift = Math.max(values.shift(), PartValues.shiftOf(range + range / ROOM_PART));
        if (moveTo(form, baseFor(shift), shift, row)) {
            return true;
        }
        measure(row);
        return false;
    }

    /** A base with about as much room below as above. */
    private long baseFor(final int shift) {
        if (shift == PartValues.SHIFT_MAX) {
            return 0;
        }
        final long room = (PartValues.capacity(shift) - 1 - (max - min)) / 2;
        return min < Long.MIN_VALUE + room ? Long.MIN_VALUE : min - room;
    }

    /** Turns the numbers into another form; those that it does not hold are other values then. */
    private boolean become(final int newForm, final int row) {
        if (!has(ColumnKind.NUMBER)) {
            form = newForm;
            return true;
        }
        long newMin = Long.MAX_VALUE;
        long newMax = Long.MIN_VALUE;
        for (int word = 0; word < WORD_COUNT; word++) {
            for (long rest = numbers(word, row); rest != 0; rest &= rest - 1) {
                final int each = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                final long key = base + values.get(each);
                if (NumberForm.holds(newForm, form, key)) {
                    final long newKey = NumberForm.convert(newForm, form, key);
                    newMin = Math.min(newMin, newKey);
                    newMax = Math.max(newMax, newKey);
                } else {
                    put(each, ColumnKind.OTHER);
                }
            }
        }
        final long oldMin = min;
        final long oldMax = max;
        min = newMin;
        max = newMax;
        final int shift = Math.max(values.shift(), newMin > newMax ? 0 : PartValues.shiftOf(newMax - newMin));
        if (moveTo(newForm, newMin > newMax ? 0 : baseFor(shift), shift, row)) {
            return true;
        }
        min = oldMin;
        max = oldMax;
        return false;
    }

    /** Writes all values anew; false when there is no memory, and then all is as before. */
    private boolean moveTo(final int newForm, final long newBase, final int shift, final int row) {
        final PartValues from = values;
        final PartValues to;
        if (shift == from.shift()) {
            to = from;
        } else if (column.take(PartValues.length(shift) - PartValues.length(from.shift()))) {
            to = new PartValues(shift);
        } else {
            return false;
        }
        for (int word = 0; word < WORD_COUNT; word++) {
            for (long rest = numbers(word, row); rest != 0; rest &= rest - 1) {
                final int each = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                final long key = base + from.get(each);
                to.put(each, (newForm == form ? key : NumberForm.convert(newForm, form, key)) - newBase);
            }
            for (long rest = to.equals(from) ? 0 : kind(ColumnKind.TEXT, word); rest != 0; rest &= rest - 1) {
                final int each = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                to.put(each, from.get(each));
            }
        }
        form = newForm;
        base = newBase;
        if (!to.equals(from)) {
            from.free();
            values = to;
        }
        return true;
    }

    /** Narrows what is known of the keys to those that there are, but for the row that is being put. */
    private void measure(final int row) {
        min = Long.MAX_VALUE;
        max = Long.MIN_VALUE;
        for (int word = 0; word < WORD_COUNT; word++) {
            for (long rest = numbers(word, row); rest != 0; rest &= rest - 1) {
                final long key = base + values.get(word * Long.SIZE + Long.numberOfTrailingZeros(rest));
                min = Math.min(min, key);
                max = Math.max(max, key);
            }
        }
    }

    /** Rows with numbers, without the one that is being put. */
    private long numbers(final int word, final int row) {
        final long rows = kind(ColumnKind.NUMBER, word);
        return word == row >> 6 ? rows & ~(1L << row) : rows;
    }

    private void putCode(final int row, final int code) {
        if (code == TextDictionary.NONE) {
            put(row, ColumnKind.OTHER);
        } else {
            codes |= 1L << code;
            put(row, ColumnKind.TEXT);
            values.put(row, code);
        }
    }

    /** Gives a row a kind, and no value. */
    private void put(final int row, final int kind) {
        for (int each = 0; each < ColumnKind.COUNT; each++) {
            if (each == kind || has(each)) {
                set(each * BITMAP_LENGTH, row, each == kind);
            }
        }
        kinds |= 1 << kind;
        values.put(row, 0);
    }

    private void set(final int bitmapOffset, final int row, final boolean isSet) {
        final long at = bitmaps + bitmapOffset + (long) (row >> 6) * Long.BYTES;
        final long word = UnsafeApi.getLong(at);
        UnsafeApi.putLong(at, isSet ? word | 1L << row : word & ~(1L << row));
    }

    /** Frees its memory, and gives it back to the memory of columns. */
    void free() {
        column.addRows(-rowCount);
        column.give(BITMAPS_LENGTH + PartValues.length(values.shift()));
        values.free();
        UnsafeApi.freeMemory(bitmaps);
    }
}
