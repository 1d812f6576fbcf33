package io.penstock.broker.query.column;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.penstock.broker.filter.value.Register;
import io.penstock.broker.shard.store.StateMemory;
import io.penstock.format.FieldPath;
import org.agrona.concurrent.UnsafeBuffer;

/** A column of one block whose values a test sets. */
public final class PartOfValues implements AutoCloseable {
    private final StateMemory state = new StateMemory(1 << 20, 1 << 20, 1 << 20);
    private final Column column = new Column(0, FieldPath.of("v"), state.columns(), 0);
    private final ColumnPart part = new ColumnPart(column);
    private final Register value = new Register();

    /** A column without a value. */
    public PartOfValues() {}

    public ColumnPart part() {
        return part;
    }

    public Column column() {
        return column;
    }

    public void putNumber(final int row, final long number) {
        value.set(number);
        part.put(row, value);
    }

    public void putText(final int row, final String text) {
        final byte[] bytes = text.getBytes(US_ASCII);
        value.set(new UnsafeBuffer(bytes), 0, bytes.length);
        part.put(row, value);
    }

    public void putNull(final int row) {
        value.setNull();
        part.put(row, value);
    }

    @Override
    public void close() {
        part.free();
        state.close();
    }
}
