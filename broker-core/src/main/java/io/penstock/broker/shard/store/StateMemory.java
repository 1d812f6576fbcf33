package io.penstock.broker.shard.store;

import org.agrona.BitUtil;

/**
 * The memory of one shard's stores: chunks of pages, free lists for each size class, one budget. Owned by the writer,
 * the shard's sequencer, except where a method says otherwise.
 *
 * <p>Chunks come from the system's allocator, as {@code malloc} gives them, not as direct buffers: {@code
 * -XX:MaxDirectMemorySize} neither bounds nor counts them, {@link #budgetLength} alone does. A process needs the budgets
 * of its shards on top of its heap and of that limit. A chunk whose pages are all free goes back to the allocator, one
 * empty chunk aside; see the documentation for what the allocator does with it.
 */
public final class StateMemory implements AutoCloseable {
    /** A good length of chunks, in bytes. */
    public static final int CHUNK_LENGTH_DEFAULT = 4 * 1024 * 1024;

    /** The shortest chunk, in bytes. */
    public static final int CHUNK_LENGTH_MIN = 128 * 1024;

    /** The longest chunk, in bytes. */
    public static final int CHUNK_LENGTH_MAX = 64 * 1024 * 1024;

    private static final int RESERVE_SHIFT = 4;
    /** Less would not do for a page of each of some classes. */
    private static final int RESERVE_PAGES_MIN = 32;
    /** But a small budget must have room for keys. */
    private static final int RESERVE_SHIFT_MIN = 2;

    private final MemoryBudget budget;
    private final Chunks chunks;
    private final SmallBlocks smallBlocks;
    private final OwnBlocks ownBlocks;
    /** At the least: a chunk that happens to be aligned has one more. */
    private final int chunkPageCount;

    private final int runPagesMax;
    private final long reservePages;
    private final ColumnMemory columns;
    private final LiveLength live = new LiveLength();
    private boolean isClosed;

    /**
     * Makes it, empty, for stores that readers make no columns of.
     *
     * @param budgetLength in bytes, at least one chunk.
     * @param chunkLength  in bytes, a power of two. Longer records than a quarter of it get memory of their own.
     */
    public StateMemory(final long budgetLength, final int chunkLength) {
        this(budgetLength, chunkLength, 0);
    }

    /**
     * Makes it, empty: the first chunk is taken by {@link #prepare} or with the first need.
     *
     * @param budgetLength    in bytes, at least one chunk.
     * @param chunkLength     in bytes, a power of two. Longer records than a quarter of it get memory of their own.
     * @param columnLengthMax of the columns that readers make of the stores, in bytes, beside the budget; 0 for none.
     */
    public StateMemory(final long budgetLength, final int chunkLength, final long columnLengthMax) {
        columns = new ColumnMemory(columnLengthMax);
        if (!BitUtil.isPowerOfTwo(chunkLength) || chunkLength < CHUNK_LENGTH_MIN || chunkLength > CHUNK_LENGTH_MAX) {
            throw new IllegalArgumentException("chunkLength: not a power of two of 128 KiB to 64 MiB: " + chunkLength);
        }
        if (budgetLength < chunkLength) {
            throw new IllegalArgumentException(
                    "budgetLength: less than one chunk: " + budgetLength + " (use " + chunkLength + " or more)");
        }
        budget = new MemoryBudget(budgetLength, chunkLength);
        chunks = new Chunks(budget);
        smallBlocks = new SmallBlocks(chunks);
        ownBlocks = new OwnBlocks(budget);
        chunkPageCount = (chunkLength >> Page.SHIFT) - 1;
        runPagesMax = (chunkLength >> Page.SHIFT) / 4;
        reservePages = Math.max(
                Math.min(RESERVE_PAGES_MIN, budgetLength >> (Page.SHIFT + RESERVE_SHIFT_MIN)),
                budgetLength >> (Page.SHIFT + RESERVE_SHIFT));
    }

    /**
     * Memory that was taken from the system. Any thread may ask.
     *
     * @return bytes.
     */
    public long reservedLength() {
        return budget.reservedLength();
    }

    /** The length of all records that there are, whatever memory they take. */
    public LiveLength live() {
        return live;
    }

    /**
     * The memory of columns, beside what is reserved.
     *
     * @return for any thread.
     */
    public ColumnMemory columns() {
        return columns;
    }

    /**
     * The bound of {@link #reservedLength}.
     *
     * @return bytes.
     */
    public long budgetLength() {
        return budget.budgetLength();
    }

    /**
     * Gives back to the system the chunk that the writer has put aside for that, if there is one; takes a spare chunk
     * ahead and touches it, when there is none and the budget allows it, so that the writer finds it ready. One thread
     * may call this, the writer or another, from time to time and off the path of messages: it takes about a
     * millisecond. Without it the writer takes untouched memory when it needs some, pays for page faults as it goes, and
     * gives chunks back itself. Not to be called during or after {@link #close}.
     *
     * @return whether there was something to do.
     */
    public boolean prepare() {
        return budget.prepare();
    }

    /** Gives everything back. Nobody may use a store, or read a version, from then on. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        chunks.close();
        ownBlocks.close();
        budget.close();
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Pages that something lies in. */
    long usedPageCount() {
        return chunks.usedPageCount();
    }

    /**
     * Whether {@link #allocate} would succeed, for this length or one that is shorter by up to what a version's
     * extension takes.
     *
     * @param length in bytes.
     * @return false when there is no room.
     */
    boolean hasRoom(final long length) {
        if (length <= SizeClasses.LENGTH_MAX) {
            return smallBlocks.hasRoom((int) length);
        }
        final long pageCount = pageCount(length);
        return pageCount > runPagesMax ? ownBlocks.hasRoom(length) : chunks.hasRun((int) pageCount);
    }

    /**
     * Whether so much could be allocated without touching the reserve, which is for updates of what is there.
     *
     * @param length     in bytes.
     * @param morePages  that are needed beside it.
     * @return false when it would come out of the reserve.
     */
    boolean hasRoomBeforeReserve(final long length, final int morePages) {
        final long pageCount = pageCount(length);
        final boolean isOwn = pageCount > runPagesMax;
        final long unreserved = budget.unreservedLength() - (isOwn ? OwnBlocks.reservedLength(length) : 0);
        final long available = chunks.freePageCount() + Math.max(0, unreserved) / budget.chunkLength() * chunkPageCount;
        return unreserved >= 0 && available - (isOwn ? 0 : pageCount) - morePages >= reservePages;
    }

    /**
     * Takes a block.
     *
     * @param length in bytes.
     * @return address, a multiple of 8, or 0 when there is no room.
     */
    long allocate(final long length) {
        if (length <= SizeClasses.LENGTH_MAX) {
            return smallBlocks.allocate((int) length);
        }
        final long pageCount = pageCount(length);
        return pageCount > runPagesMax ? ownBlocks.allocate(length) : allocateRun((int) pageCount);
    }

    /**
     * Gives a block back.
     *
     * @param block from {@link #allocate}.
     */
    void free(final long block) {
        final long page = Page.of(block);
        final int kind = Page.kind(page);
        if (kind >= 0) {
            smallBlocks.free(page, kind, block);
        } else if (kind == Page.KIND_RUN) {
            chunks.give(Page.chunk(page), page, Page.runPageCount(page));
        } else {
            ownBlocks.free(page);
        }
    }

    /**
     * Takes whole pages, without a head, for a table. Tables have chunks of their own while there is memory for more
     * chunks, so that they do not keep chunks in use that versions have left.
     *
     * @param count of pages next to each other.
     * @return address, or 0 when there is no room.
     */
    long allocatePages(final int count) {
        final int index = chunks.withRun(count, true);
        return index < 0 ? 0 : chunks.take(index, count);
    }

    /**
     * Gives pages back; slow, for stores that are closed.
     *
     * @param address from {@link #allocatePages}.
     * @param count   that was asked for.
     */
    void freePages(final long address, final int count) {
        chunks.give(address, count);
    }

    /**
     * Puts one empty chunk aside to be given back to the system, if there is another one; the one that was put aside
     * before goes back at once if {@link #prepare} has not done that.
     *
     * @return whether it did.
     */
    public boolean trim() {
        return chunks.trim();
    }

    private long allocateRun(final int pageCount) {
        final int index = chunks.withRun(pageCount, false);
        if (index < 0) {
            return 0;
        }
        final long page = chunks.take(index, pageCount);
        Page.formatRun(page, index, pageCount);
        return Page.firstBlock(page);
    }

    private static long pageCount(final long length) {
        return (length + Page.HEADER_LENGTH + Page.LENGTH - 1) >> Page.SHIFT;
    }
}
