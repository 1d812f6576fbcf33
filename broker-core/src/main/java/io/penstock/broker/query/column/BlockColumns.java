package io.penstock.broker.query.column;

import io.penstock.broker.shard.store.ColumnMemory;
import io.penstock.broker.shard.store.StateStore;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.UnsafeApi;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one block of rows, as of a sequence. One thread at a time has them, between {@link #tryTake} and
 * {@link #release}; nobody waits for them. When their store is freed, its writer has them.
 *
 * <pre>
 *   +---------------------------+-------------------+
 *   | present: bit for each row | since: (8) x 2048 |
 *   +---------------------------+-------------------+
 * </pre>
 *
 * <p>{@code since} is a sequence from which on the row has been as it is here, up to {@link #sequence}: that of its version,
 * that of its delete, or a later one. So for a snapshot of P at or after {@code since} the row is the same, and otherwise
 * it has to be asked itself.
 */
public final class BlockColumns {
    /** Nothing was read so far. */
    static final long NEVER = Long.MIN_VALUE;

    private static final int SINCE_OFFSET = ColumnPart.BITMAP_LENGTH;

    /** Bytes of what all columns of a block share. */
    static final int LENGTH = SINCE_OFFSET + StateStore.BLOCK_LENGTH * Long.BYTES;

    private final AtomicBoolean isTaken = new AtomicBoolean();
    private @Nullable ColumnPart[] parts = new ColumnPart[1];
    private long address;
    private long sequence = NEVER;
    private int presentCount;

    BlockColumns() {}

    /**
     * Takes the columns, unless somebody has them.
     *
     * @return whether the caller has them now, and has to release them.
     */
    public boolean tryTake() {
        return !isTaken.getPlain() && isTaken.compareAndSet(false, true);
    }

    /** Gives them back. */
    public void release() {
        isTaken.setRelease(false);
    }

    /**
     * The sequence that the columns are of.
     *
     * @return sequence.
     */
    public long sequence() {
        return sequence;
    }

    /** They are of that sequence now. */
    void sequence(final long of) {
        sequence = of;
    }

    /**
     * A column's part.
     *
     * @param column that was read.
     * @return the part.
     */
    public ColumnPart part(final Column column) {
        final ColumnPart part = partOrNull(column.index);
        if (part == null) {
            throw new IllegalStateException("columns: not read: " + column.path());
        }
        return part;
    }

    @Nullable
    ColumnPart partOrNull(final int index) {
        return index < parts.length ? parts[index] : null;
    }

    /**
     * Which rows there are.
     *
     * @param word of the bitmap.
     * @return a bit for each of 64 rows.
     */
    public long present(final int word) {
        return UnsafeApi.getLong(address + (long) word * Long.BYTES);
    }

    /**
     * How many rows there are.
     *
     * @return count.
     */
    public int presentCount() {
        return presentCount;
    }

    /** Which of 64 rows have changed after a sequence, or have perhaps. */
    long changed(final int word, final long after) {
        long rows = 0;
        for (int i = 0; i < Long.SIZE; i++) {
            rows |= since(word * Long.SIZE + i) > after ? 1L << i : 0;
        }
        return rows;
    }

    long since(final int row) {
        return UnsafeApi.getLong(address + SINCE_OFFSET + (long) row * Long.BYTES);
    }

    /** A row is another one since a sequence, or there is none any more. */
    void onChanged(final int row, final boolean isPresent, final long since) {
        final long at = address + (long) (row >> 6) * Long.BYTES;
        final long word = UnsafeApi.getLong(at);
        final long present = isPresent ? word | 1L << row : word & ~(1L << row);
        UnsafeApi.putLong(at, present);
        presentCount += Long.bitCount(present) - Long.bitCount(word);
        UnsafeApi.putLong(address + SINCE_OFFSET + (long) row * Long.BYTES, since);
        for (final ColumnPart part : parts) {
            if (part != null) {
                part.markStale(row);
            }
        }
    }

    boolean isPresent(final int row) {
        return (present(row >> 6) & 1L << row) != 0;
    }

    /** Makes sure that there is memory for a column; false when there is none. */
    boolean ensure(final Column column, final ColumnMemory memory) {
        if (address == 0) {
            if (!memory.take(LENGTH)) {
                return false;
            }
            address = UnsafeApi.allocateMemory(LENGTH);
            UnsafeApi.setMemory(address, SINCE_OFFSET, (byte) 0);
            for (int row = 0; row < StateStore.BLOCK_LENGTH; row++) {
                UnsafeApi.putLong(address + SINCE_OFFSET + (long) row * Long.BYTES, NEVER);
            }
        }
        if (partOrNull(column.index) != null) {
            return true;
        }
        if (!column.take(ColumnPart.LENGTH_MIN)) {
            return false;
        }
        if (column.index >= parts.length) {
            parts = Arrays.copyOf(parts, column.index + 1);
        }
        final ColumnPart part = new ColumnPart(column);
        parts[column.index] = part;
        for (int word = 0; word < ColumnPart.WORD_COUNT; word++) {
            part.markStale(word, present(word));
        }
        return true;
    }

    /** Frees the parts of some columns, and the rest with the last one. Called by whoever has the columns. */
    void drop(final long[] indexes, final ColumnMemory memory) {
        boolean isLeft = false;
        for (int i = 0; i < parts.length; i++) {
            final ColumnPart part = parts[i];
            if (part != null && (indexes[i / Long.SIZE] & 1L << i) != 0) {
                parts[i] = null;
                part.free();
            }
            isLeft |= parts[i] != null;
        }
        if (!isLeft) {
            free(memory);
        }
    }

    /** Frees all memory. Called by whoever has the columns. */
    int free(final ColumnMemory memory) {
        int count = 0;
        for (int i = 0; i < parts.length; i++) {
            final ColumnPart part = parts[i];
            if (part != null) {
                parts[i] = null;
                part.free();
                count++;
            }
        }
        if (address != 0) {
            UnsafeApi.freeMemory(address);
            memory.give(LENGTH);
            address = 0;
            sequence = NEVER;
            presentCount = 0;
            count++;
        }
        return count;
    }
}
