package io.penstock.broker.query.column;

import io.penstock.broker.shard.store.ColumnMemory;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The columns of the blocks of one store, by the numbers of the blocks. Any thread may ask for some, or make them. */
final class BlockTable {
    private static final int SECTION_SHIFT = 9;
    private static final int SECTION_LENGTH = 1 << SECTION_SHIFT;
    private static final int SECTION_COUNT = 256;

    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable BlockColumns>> sections =
            new AtomicReferenceArray<>(SECTION_COUNT);

    /** While it is freed: the next block. */
    private int freedBlock;

    /** The columns of a block, which are made if need be. */
    BlockColumns block(final int block) {
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

    /** The first block from one on that has columns; negative when none has. */
    int next(final int block) {
        int at = block;
        while (at < SECTION_COUNT * SECTION_LENGTH) {
            final AtomicReferenceArray<@Nullable BlockColumns> blocks = sections.getAcquire(at >> SECTION_SHIFT);
            if (blocks == null) {
                at = ((at >> SECTION_SHIFT) + 1) << SECTION_SHIFT;
            } else if (blocks.getAcquire(at & SECTION_LENGTH - 1) != null) {
                return at;
            } else {
                at++;
            }
        }
        return -1;
    }

    /** Frees some; returns how many pieces, which are less than the limit when nothing is left. Called by the writer alone. */
    int free(final int limit, final ColumnMemory memory) {
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
        return count;
    }
}
