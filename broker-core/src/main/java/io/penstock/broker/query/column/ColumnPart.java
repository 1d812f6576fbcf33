package io.penstock.broker.query.column;

import io.penstock.broker.filter.value.Register;
import io.penstock.broker.shard.store.StateStore;
import org.agrona.UnsafeApi;

/**
 * A column of one block of rows, outside the heap. Owned by whoever has the columns of the block.
 *
 * <pre>
 *   +------+------+------+-------+--------+------+-------+-------+------------------------+
 *   | null | obj. | true | false | number | text | other | stale | value, value, ...      |
 *   |   bit for each row: 256 bytes each                         | (8) x 2048             |
 *   +------+------+------+-------+--------+------+-------+-------+------------------------+
 * </pre>
 *
 * <p>A row has one kind. Where it is stale, or the block has no such row, neither kind nor value mean anything. Numbers
 * have keys: integers are their own until the first one comes that is none, then all have those of doubles, and integers
 * that are no doubles are of the kind {@link ColumnKind#OTHER}.
 *
 * <p>What is known of the whole part (kinds, least and greatest key, codes of texts) may cover more than there is.
 */
public final class ColumnPart {
    /** Words of a bitmap of the rows. */
    public static final int WORD_COUNT = StateStore.BLOCK_LENGTH / Long.SIZE;

    static final int BITMAP_LENGTH = WORD_COUNT * Long.BYTES;

    private static final int STALE_OFFSET = ColumnKind.COUNT * BITMAP_LENGTH;
    private static final int VALUES_OFFSET = STALE_OFFSET + BITMAP_LENGTH;

    /** Bytes of a part. */
    static final int LENGTH = VALUES_OFFSET + StateStore.BLOCK_LENGTH * Long.BYTES;

    private final long address;
    private int kinds;
    private boolean isReal;
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;
    private long codes;
    private boolean isStale;

    ColumnPart() {
        address = UnsafeApi.allocateMemory(LENGTH);
        UnsafeApi.setMemory(address, LENGTH, (byte) 0);
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

    /**
     * Which rows are of a kind.
     *
     * @param kind a {@link ColumnKind}.
     * @param word of the bitmap.
     * @return a bit for each of 64 rows.
     */
    public long kind(final int kind, final int word) {
        return UnsafeApi.getLong(address + kind * BITMAP_LENGTH + (long) word * Long.BYTES);
    }

    /**
     * Where the values are.
     *
     * @return address of 8 bytes for each row.
     */
    public long valuesAddress() {
        return address + VALUES_OFFSET;
    }

    /**
     * The value of a row.
     *
     * @param row in the block.
     * @return a number's key, or a text's code.
     */
    public long value(final int row) {
        return UnsafeApi.getLong(address + VALUES_OFFSET + (long) row * Long.BYTES);
    }

    /** Whether the keys are those of doubles, and not integers. */
    public boolean isReal() {
        return isReal;
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

    /** Whether rows have to be read before the part is of use. */
    boolean isStale() {
        return isStale;
    }

    long stale(final int word) {
        return UnsafeApi.getLong(address + STALE_OFFSET + (long) word * Long.BYTES);
    }

    /** The row is another one since it was put here. */
    void markStale(final int row) {
        isStale = true;
        set(STALE_OFFSET, row, true);
    }

    /** No row was put here so far. */
    void markStale(final int word, final long rows) {
        isStale = true;
        UnsafeApi.putLong(address + STALE_OFFSET + (long) word * Long.BYTES, rows);
    }

    /** No row is stale in a word of the bitmap. */
    void clearStale(final int word, final long rows) {
        final long at = address + STALE_OFFSET + (long) word * Long.BYTES;
        UnsafeApi.putLong(at, UnsafeApi.getLong(at) & ~rows);
    }

    /** All rows were put here. */
    void onRead() {
        isStale = false;
    }

    /** Puts the value of a row. */
    void put(final int row, final Register value, final TextDictionary texts) {
        switch (value.type()) {
            case ABSENT, NULL -> put(row, ColumnKind.NULL, 0);
            case OBJECT -> put(row, ColumnKind.OBJECT, 0);
            case BOOLEAN -> put(row, value.booleanValue() ? ColumnKind.TRUE : ColumnKind.FALSE, 0);
            case LONG -> putLong(row, value.longValue());
            case DOUBLE -> putReal(row, value.doubleValue());
            case STRING -> putCode(row, texts.code(value.buffer(), value.offset(), value.length()));
            case UNTYPED, ARRAY -> put(row, ColumnKind.OTHER, 0);
        }
    }

    private void putLong(final int row, final long value) {
        if (!isReal) {
            putNumber(row, value);
        } else if (NumberKeys.isReal(value)) {
            putNumber(row, NumberKeys.of(value));
        } else {
            put(row, ColumnKind.OTHER, 0);
        }
    }

    private void putReal(final int row, final double value) {
        if (!isReal) {
            becomeReal();
        }
        putNumber(row, NumberKeys.of(value));
    }

    private void putNumber(final int row, final long key) {
        min = Math.min(min, key);
        max = Math.max(max, key);
        put(row, ColumnKind.NUMBER, key);
    }

    private void putCode(final int row, final int code) {
        if (code == TextDictionary.NONE) {
            put(row, ColumnKind.OTHER, 0);
        } else {
            codes |= 1L << code;
            put(row, ColumnKind.TEXT, code);
        }
    }

    private void becomeReal() {
        isReal = true;
        min = Long.MAX_VALUE;
        max = Long.MIN_VALUE;
        for (int word = 0; word < WORD_COUNT; word++) {
            long numbers = kind(ColumnKind.NUMBER, word);
            while (numbers != 0) {
                final int row = word * Long.SIZE + Long.numberOfTrailingZeros(numbers);
                putLong(row, value(row));
                numbers &= numbers - 1;
            }
        }
    }

    private void put(final int row, final int kind, final long value) {
        for (int each = 0; each < ColumnKind.COUNT; each++) {
            if (each == kind || has(each)) {
                set(each * BITMAP_LENGTH, row, each == kind);
            }
        }
        kinds |= 1 << kind;
        UnsafeApi.putLong(address + VALUES_OFFSET + (long) row * Long.BYTES, value);
    }

    private void set(final int bitmapOffset, final int row, final boolean isSet) {
        final long at = address + bitmapOffset + (long) (row >> 6) * Long.BYTES;
        final long word = UnsafeApi.getLong(at);
        UnsafeApi.putLong(at, isSet ? word | 1L << row : word & ~(1L << row));
    }

    void free() {
        UnsafeApi.freeMemory(address);
    }
}
