package io.penstock.broker.shard.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.agrona.UnsafeApi;

/**
 * The rows of a store, in blocks that never move. The writer changes them; readers see a row's newest version, whether
 * it is deleted, and when its block changed last.
 *
 * <pre>
 *   sections          section: one page, 512 blocks               rows of a block: 3 pages, 2048 rows
 *   +---+---+--       +------+----------+----------+----------+   +---------+------+------+------------+
 *   | . | . |   --->  | rows | earliest | changed  | earliest |   | newest  | hash | next | deleted at | x 2048
 *   +---+---+--       |      | of groups| at       | of block |   |   (8)   | (4)  | (4)  |    (8)     |
 *                     +------+----------+----------+----------+   +---------+------+------+------------+
 *                      x 512                                                | link (8)    |
 * </pre>
 *
 * <p>The lowest bit of {@code newest} is set when that version was deleted, at the sequence beside it; {@code link} takes
 * the place of hash and next then. {@code newest} is 0 when there is nothing that anyone could see.
 */
final class RowTable {
    static final int BLOCK_SHIFT = 11;
    static final int BLOCK_LENGTH = 1 << BLOCK_SHIFT;
    static final int GROUP_SHIFT = 5;
    static final int GROUP_LENGTH = 1 << GROUP_SHIFT;
    static final int GROUP_COUNT = BLOCK_LENGTH / GROUP_LENGTH;
    static final int SECTION_BLOCK_COUNT = 512;
    static final int SECTION_COUNT_MAX = 256;
    static final int ROW_COUNT_MAX = SECTION_COUNT_MAX * SECTION_BLOCK_COUNT * BLOCK_LENGTH;

    private static final int SECTION_SHIFT = 9;
    private static final long DELETED = 1;

    private static final int NEWEST_OFFSET = 0;
    private static final int HASH_OFFSET = NEWEST_OFFSET + Long.BYTES;
    private static final int LINK_OFFSET = HASH_OFFSET;
    private static final int NEXT_OFFSET = HASH_OFFSET + Integer.BYTES;
    private static final int DELETED_AT_OFFSET = NEXT_OFFSET + Integer.BYTES;
    private static final int ROW_LENGTH = DELETED_AT_OFFSET + Long.BYTES;
    private static final int BLOCK_PAGE_COUNT = BLOCK_LENGTH * ROW_LENGTH / Page.LENGTH;

    /** Of a block: the times of its groups, and behind them its last changes. */
    private static final int GROUPS_LENGTH = GROUP_COUNT * Long.BYTES + ChangeRing.LENGTH;

    private static final int CHANGES_OFFSET = GROUP_COUNT * Long.BYTES;
    private static final int BLOCKS_OF_GROUPS_PAGE = Page.LENGTH / GROUPS_LENGTH;

    private static final int ROWS_OFFSET = 0;
    private static final int GROUPS_OFFSET = ROWS_OFFSET + Long.BYTES;
    private static final int CHANGED_AT_OFFSET = GROUPS_OFFSET + Long.BYTES;
    private static final int EARLIEST_OFFSET = CHANGED_AT_OFFSET + Long.BYTES;
    private static final int ENTRY_LENGTH = EARLIEST_OFFSET + Long.BYTES;

    /** Pages that one more row may need: its block, the times of its groups, a section. */
    static final int GROWTH_PAGE_COUNT = BLOCK_PAGE_COUNT + 2;

    private final StateMemory memory;
    /** Replaced by a longer one before a row is published that lies after it, so that each reader's has its rows. */
    private AtomicLongArray sections = new AtomicLongArray(1);

    private final AtomicInteger rowCount = new AtomicInteger();
    private int blockCount;

    /** While the table is freed: the row whose versions are next, and the next of them, or 0 for its newest. */
    private int freedRow;

    private long freedVersion;
    private boolean isFreed;
    private int freeHead = StateStore.NO_ROW;

    RowTable(final StateMemory memory) {
        this.memory = memory;
    }

    int rowCount() {
        return rowCount.getAcquire();
    }

    int blockCount() {
        return (rowCount() + BLOCK_LENGTH - 1) >> BLOCK_SHIFT;
    }

    /** Sequence of the last change in a block. */
    long changedAt(final int block) {
        return UnsafeApi.getLongAcquire(null, entry(block) + CHANGED_AT_OFFSET);
    }

    /** See {@link ChangeRing#read}. Any thread. */
    int readChanges(final int block, final long after, final long upTo, final long[] into) {
        return ChangeRing.read(changes(block), after, upTo, into);
    }

    /** The newest version, or 0 when it is deleted. Any thread, under a snapshot. */
    long newest(final int row) {
        final long newest = UnsafeApi.getLongAcquire(null, address(row));
        return (newest & DELETED) == 0 ? newest : 0;
    }

    /** The version that was visible at a sequence, or 0. Any thread, under a snapshot of that sequence or before. */
    long versionAt(final int row, final long sequence) {
        final long address = address(row);
        while (true) {
            final long newest = UnsafeApi.getLongAcquire(null, address);
            if ((newest & DELETED) == 0) {
                return visible(newest, sequence);
            }
            final long deletedAt = UnsafeApi.getLongAcquire(null, address + DELETED_AT_OFFSET);
            // Otherwise the row is in use again, and the sequence may be that of a later delete.
            if (UnsafeApi.getLongAcquire(null, address) == newest) {
                return sequence < deletedAt ? visible(newest & ~DELETED, sequence) : 0;
            }
        }
    }

    private static long visible(final long newest, final long sequence) {
        long version = newest;
        while (version != 0 && Version.sequence(version) > sequence) {
            version = Version.older(version);
        }
        return version;
    }

    /** Makes sure that {@link #take} finds a row; false when there is no memory for it. */
    boolean prepare() {
        final int count = rowCount.getPlain();
        if (freeHead != StateStore.NO_ROW || count < blockCount << BLOCK_SHIFT) {
            return true;
        }
        return count < ROW_COUNT_MAX && addBlock();
    }

    /** Takes a row without a version. */
    int take() {
        final int row = freeHead;
        if (row != StateStore.NO_ROW) {
            freeHead = next(row);
            return row;
        }
        final int fresh = rowCount.getPlain();
        rowCount.setRelease(fresh + 1);
        return fresh;
    }

    /** Gives back a row without a version. */
    void give(final int row) {
        next(row, freeHead);
        freeHead = row;
    }

    /** The newest version, deleted or not, or 0. */
    long version(final int row) {
        return UnsafeApi.getLong(address(row) + NEWEST_OFFSET) & ~DELETED;
    }

    /** Shows readers a version, or with 0 nothing. */
    void publish(final int row, final long version, final long sequence) {
        // Before the row, so that a reader who finds the block unchanged behind its reads has seen nothing newer.
        noteChange(row, sequence);
        UnsafeApi.putLongRelease(null, address(row) + NEWEST_OFFSET, version);
    }

    /** Shows readers that the newest version is deleted. */
    void publishDeleted(final int row, final long sequence) {
        final long address = address(row);
        noteChange(row, sequence);
        UnsafeApi.putLongRelease(null, address + DELETED_AT_OFFSET, sequence);
        UnsafeApi.putLongRelease(null, address + NEWEST_OFFSET, UnsafeApi.getLong(address + NEWEST_OFFSET) | DELETED);
    }

    private void noteChange(final int row, final long sequence) {
        final long entry = entry(row >> BLOCK_SHIFT);
        UnsafeApi.putLongRelease(null, entry + CHANGED_AT_OFFSET, sequence);
        ChangeRing.add(UnsafeApi.getLong(entry + GROUPS_OFFSET) + CHANGES_OFFSET, row & BLOCK_LENGTH - 1, sequence);
    }

    /** Reads from what {@link #publish} notes a change in. */
    long lookAtChanges(final int row) {
        return ChangeRing.lookAt(changes(row >> BLOCK_SHIFT));
    }

    /** Shows readers nothing, where a deleted version was that none of them needs. */
    void clear(final int row) {
        UnsafeApi.putLongRelease(null, address(row) + NEWEST_OFFSET, 0);
    }

    int hash(final int row) {
        return UnsafeApi.getInt(address(row) + HASH_OFFSET);
    }

    void hash(final int row, final int hash) {
        UnsafeApi.putInt(address(row) + HASH_OFFSET, hash);
    }

    int next(final int row) {
        return UnsafeApi.getInt(address(row) + NEXT_OFFSET);
    }

    void next(final int row, final int next) {
        UnsafeApi.putInt(address(row) + NEXT_OFFSET, next);
    }

    long deletedAt(final int row) {
        return UnsafeApi.getLong(address(row) + DELETED_AT_OFFSET);
    }

    long linkAddress(final int row) {
        return address(row) + LINK_OFFSET;
    }

    /** Address of the time of a block before which none of its rows expires. */
    long earliestOfBlock(final int block) {
        return entry(block) + EARLIEST_OFFSET;
    }

    /** Address of {@link #GROUP_COUNT} such times, of the groups of a block. */
    long earliestOfGroups(final int block) {
        return UnsafeApi.getLong(entry(block) + GROUPS_OFFSET);
    }

    /**
     * Frees some of the versions, and the rows themselves after the last. Returns how many steps that took, which may
     * be some more than the limit; {@link #isFreed} says whether nothing is left.
     */
    int free(final int limit) {
        int count = 0;
        final int end = rowCount.getPlain();
        while (freedRow < end && count < limit) {
            final long version = freedVersion == 0 ? version(freedRow) : freedVersion;
            freedVersion = version == 0 ? 0 : Version.older(version);
            if (version != 0) {
                memory.free(Version.block(version));
            }
            if (freedVersion == 0) {
                freedRow++;
            }
            count++;
        }
        while (freedRow == end && blockCount > 0 && count < limit) {
            freeLastBlock();
            count += BLOCK_PAGE_COUNT;
        }
        if (freedRow == end && blockCount == 0 && !isFreed) {
            rowCount.setRelease(0);
            for (int i = 0; i < sections.length() && sections.get(i) != 0; i++) {
                memory.freePages(sections.getAndSet(i, 0), 1);
                count++;
            }
            isFreed = true;
        }
        return count;
    }

    boolean isFreed() {
        return isFreed;
    }

    private void freeLastBlock() {
        final int block = --blockCount;
        memory.freePages(UnsafeApi.getLong(entry(block) + ROWS_OFFSET), BLOCK_PAGE_COUNT);
        if (block % BLOCKS_OF_GROUPS_PAGE == 0) {
            memory.freePages(earliestOfGroups(block), 1);
        }
    }

    private boolean addBlock() {
        final int section = blockCount >> SECTION_SHIFT;
        if (section == sections.length()) {
            final AtomicLongArray more = new AtomicLongArray(2 * section);
            for (int i = 0; i < section; i++) {
                more.setPlain(i, sections.getPlain(i));
            }
            sections = more;
        }
        if (sections.getPlain(section) == 0) {
            final long page = memory.allocatePages(1);
            if (page == 0) {
                return false;
            }
            sections.setRelease(section, page);
        }
        final boolean isFirstOfPage = blockCount % BLOCKS_OF_GROUPS_PAGE == 0;
        final long groups = isFirstOfPage ? memory.allocatePages(1) : earliestOfGroups(blockCount - 1) + GROUPS_LENGTH;
        final long rows = groups == 0 ? 0 : memory.allocatePages(BLOCK_PAGE_COUNT);
        if (rows == 0) {
            if (isFirstOfPage && groups != 0) {
                memory.freePages(groups, 1);
            }
            return false;
        }
        UnsafeApi.setMemory(rows, (long) BLOCK_PAGE_COUNT * Page.LENGTH, (byte) 0);
        for (int i = 0; i < GROUP_COUNT; i++) {
            UnsafeApi.putLong(groups + (long) i * Long.BYTES, Long.MAX_VALUE);
        }
        ChangeRing.clear(groups + CHANGES_OFFSET);
        final long entry = entry(blockCount);
        UnsafeApi.putLong(entry + ROWS_OFFSET, rows);
        UnsafeApi.putLong(entry + GROUPS_OFFSET, groups);
        UnsafeApi.putLong(entry + CHANGED_AT_OFFSET, Long.MIN_VALUE);
        UnsafeApi.putLong(entry + EARLIEST_OFFSET, Long.MAX_VALUE);
        blockCount++;
        return true;
    }

    private long changes(final int block) {
        return UnsafeApi.getLong(entry(block) + GROUPS_OFFSET) + CHANGES_OFFSET;
    }

    private long entry(final int block) {
        return sections.getAcquire(block >> SECTION_SHIFT) + (long) (block & SECTION_BLOCK_COUNT - 1) * ENTRY_LENGTH;
    }

    private long address(final int row) {
        return UnsafeApi.getLong(entry(row >> BLOCK_SHIFT) + ROWS_OFFSET)
                + (long) (row & BLOCK_LENGTH - 1) * ROW_LENGTH;
    }
}
