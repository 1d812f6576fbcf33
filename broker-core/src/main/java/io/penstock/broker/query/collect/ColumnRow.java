package io.penstock.broker.query.collect;

import io.penstock.broker.filter.value.Register;
import io.penstock.broker.query.column.BlockColumns;
import io.penstock.broker.query.column.Column;
import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.NumberForm;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldType;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/** Reads a row of a block as its message would be read, from columns that know all of its fields. */
final class ColumnRow implements FieldReader {
    private final Column[] columns;
    private final ColumnPart[] parts;
    private final Register[] values;
    private final boolean[] areLoaded;
    private int row;

    /** @param columns of the fields, by slot. */
    ColumnRow(final Column[] columns) {
        this.columns = columns.clone();
        parts = new ColumnPart[columns.length];
        values = new Register[columns.length];
        Arrays.setAll(values, slot -> new Register());
        areLoaded = new boolean[columns.length];
    }

    /** Rows are those of another block now, whose columns the caller has. */
    void block(final BlockColumns block) {
        for (int slot = 0; slot < parts.length; slot++) {
            parts[slot] = block.part(columns[slot]);
        }
    }

    /** The present block's part of a column. */
    ColumnPart part(final int slot) {
        return parts[slot];
    }

    Column column(final int slot) {
        return columns[slot];
    }

    /** Moves to a row whose fields are all known. */
    FieldReader at(final int newRow) {
        row = newRow;
        Arrays.fill(areLoaded, false);
        return this;
    }

    private Register value(final int slot) {
        final Register value = values[slot];
        if (!areLoaded[slot]) {
            areLoaded[slot] = true;
            load(parts[slot], columns[slot], value);
        }
        return value;
    }

    private void load(final ColumnPart part, final Column column, final Register value) {
        final int word = row / Long.SIZE;
        final long bit = 1L << row;
        int kind = ColumnKind.NULL;
        while (kind < ColumnKind.OTHER && (!part.has(kind) || (part.kind(kind, word) & bit) == 0)) {
            kind++;
        }
        switch (kind) {
            case ColumnKind.OBJECT -> value.setObject();
            case ColumnKind.TRUE -> value.set(true);
            case ColumnKind.FALSE -> value.set(false);
            case ColumnKind.TEXT -> column.texts().load((int) part.value(row), value);
            case ColumnKind.NUMBER -> loadNumber(part, (part.integers(word) & bit) != 0, value);
            case ColumnKind.NULL -> value.setNull();
            default -> throw new IllegalStateException("row: not known by its column: " + column.path());
        }
    }

    private void loadNumber(final ColumnPart part, final boolean isInteger, final Register value) {
        final long key = part.base() + part.value(row);
        if (part.form() == NumberForm.INTEGER) {
            value.set(key);
        } else if (isInteger) {
            value.set((long) NumberForm.number(part.form(), key));
        } else {
            value.set(NumberForm.number(part.form(), key));
        }
    }

    /** Not supported: it moves by {@link #at}. */
    @Override
    public void wrap(final DirectBuffer buffer, final int offset, final int length) {
        throw new UnsupportedOperationException("row: not read from bytes (use at)");
    }

    @Override
    public FieldType type(final int slot) {
        return value(slot).type();
    }

    @Override
    public boolean booleanValue(final int slot) {
        return value(slot).booleanValue();
    }

    @Override
    public long longValue(final int slot) {
        return value(slot).longValue();
    }

    @Override
    public double doubleValue(final int slot) {
        return value(slot).doubleValue();
    }

    @Override
    public DirectBuffer stringBuffer(final int slot) {
        return value(slot).buffer();
    }

    @Override
    public int stringOffset(final int slot) {
        return value(slot).offset();
    }

    @Override
    public int stringLength(final int slot) {
        return value(slot).length();
    }

    @Override
    public int elementCount(final int slot) {
        return 0;
    }

    @Override
    public void element(final int slot, final int index) {}
}
