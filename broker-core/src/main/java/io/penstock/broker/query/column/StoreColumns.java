package io.penstock.broker.query.column;

import io.penstock.broker.shard.store.ColumnMemory;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.StoreAttachment;
import io.penstock.format.FieldPath;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one store, made by the query agents that want them, and freed with the store. Any thread with an open
 * snapshot of the store may use it; its memory is bounded for all stores of a shard, and when there is none left nothing
 * new is made.
 */
public final class StoreColumns implements StoreAttachment {
    /** The most columns of a store. */
    static final int COLUMN_COUNT_MAX = 64;

    private static final int SECTION_SHIFT = 9;
    private static final int SECTION_LENGTH = 1 << SECTION_SHIFT;
    private static final int SECTION_COUNT = 256;

    private final ColumnMemory memory;
    private final AtomicReference<Column[]> columns = new AtomicReference<>(new Column[0]);
    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable BlockColumns>> sections =
            new AtomicReferenceArray<>(SECTION_COUNT);

    /** While it is freed: the next block. */
    private int freedBlock;

    private StoreColumns(final ColumnMemory memory) {
        this.memory = memory;
    }

    /**
     * The columns of a store.
     *
     * @param store with an open snapshot of the caller.
     * @return null when there is no memory for any.
     */
    public static @Nullable StoreColumns of(final StateStore store) {
        final StoreColumns columns = (StoreColumns) store.attachment(StoreColumns::new);
        return columns.memory.lengthMax() == 0 ? null : columns;
    }

    ColumnMemory memory() {
        return memory;
    }

    /**
     * The column of a field.
     *
     * @param path of the field; no header.
     * @return null when there are too many others.
     */
    public @Nullable Column column(final FieldPath path) {
        while (true) {
            final Column[] present = columns.getAcquire();
            for (final Column column : present) {
                if (column.path().equals(path)) {
                    return column;
                }
            }
            if (present.length == COLUMN_COUNT_MAX) {
                return null;
            }
            final Column[] more = Arrays.copyOf(present, present.length + 1);
            more[present.length] = new Column(present.length, path, memory);
            if (columns.compareAndSet(present, more)) {
                return more[present.length];
            }
        }
    }

    /**
     * The columns of a block.
     *
     * @param block of {@link StateStore#BLOCK_LENGTH} rows.
     * @return for whoever takes them.
     */
    public BlockColumns block(final int block) {
        final int section = block >> SECTION_SHIFT;
        AtomicReferenceArray<@Nullable BlockColumns> blocks = sections.getAcquire(section);
        if (blocks == null) {
            final AtomicReferenceArray<@Nullable BlockColumns> made = new AtomicReferenceArray<>(SECTION_LENGTH);
            blocks = sections.compareAndSet(section, null, made) ? made : sections.getAcquire(section);
        }
        final int index = block & SECTION_LENGTH - 1;
        BlockColumns columnsOfBlock = blocks.getAcquire(index);
        if (columnsOfBlock == null) {
            final BlockColumns made = new BlockColumns();
            columnsOfBlock = blocks.compareAndSet(index, null, made) ? made : blocks.getAcquire(index);
        }
        return columnsOfBlock;
    }

    @Override
    public int free(final int limit) {
        int count = 0;
        while (freedBlock < SECTION_COUNT * SECTION_LENGTH && count < limit) {
            final AtomicReferenceArray<@Nullable BlockColumns> blocks =
                    sections.getAcquire(freedBlock >> SECTION_SHIFT);
            if (blocks == null) {
                freedBlock = ((freedBlock >> SECTION_SHIFT) + 1) << SECTION_SHIFT;
                continue;
            }
            final BlockColumns block = blocks.getAndSet(freedBlock & SECTION_LENGTH - 1, null);
            freedBlock++;
            count += block == null ? 0 : block.free(memory);
        }
        if (count < limit) {
            for (final Column column : columns.getAndSet(new Column[0])) {
                memory.give(column.texts().lengthTaken());
            }
        }
        return count;
    }
}
