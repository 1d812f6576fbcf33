package io.penstock.broker.shard.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BitUtil;
import org.agrona.UnsafeApi;

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

    /** How many classes longer a block may be, when there is no room for one of its own class. */
    private static final int CLASS_SPAN = 16;
    /** A put knows its length better than the question whether there is room, by up to so many classes. */
    private static final int CLASS_DOUBT = Version.EXTENSION_LENGTH_MAX / Long.BYTES;

    private static final int RESERVE_SHIFT = 4;
    /** Less would not do for a page of each of some classes. */
    private static final int RESERVE_PAGES_MIN = 32;
    /** But a small budget must have room for keys. */
    private static final int RESERVE_SHIFT_MIN = 2;

    private final long budgetLength;
    private final int chunkLength;
    /** At the least: a chunk that happens to be aligned has one more. */
    private final int chunkPageCount;

    private final int runPagesMax;
    private final long reservePages;
    private final List<Chunk> chunks = new ArrayList<>();
    private final long[] partialPages = new long[SizeClasses.count()];
    /** What the writer has reserved; the spare chunk is not in it. */
    private final AtomicLong reserved = new AtomicLong();
    /** Address of a touched chunk, or 0. */
    private final AtomicLong spare = new AtomicLong();
    /** Address of a chunk that is to go back to the system, or 0. */
    private final AtomicLong surplus = new AtomicLong();

    private int chunkCount;
    private int emptyChunkCount;
    private int firstWithRoom;
    private long freePageCount;
    private long ownBlocks;
    private boolean isClosed;

    /**
     * Makes it, empty: the first chunk is taken by {@link #prepare} or with the first need.
     *
     * @param budgetLength in bytes, at least one chunk.
     * @param chunkLength  in bytes, a power of two. Longer records than a quarter of it get memory of their own.
     */
    public StateMemory(final long budgetLength, final int chunkLength) {
        if (!BitUtil.isPowerOfTwo(chunkLength) || chunkLength < CHUNK_LENGTH_MIN || chunkLength > CHUNK_LENGTH_MAX) {
            throw new IllegalArgumentException("chunkLength: not a power of two of 128 KiB to 64 MiB: " + chunkLength);
        }
        if (budgetLength < chunkLength) {
            throw new IllegalArgumentException(
                    "budgetLength: less than one chunk: " + budgetLength + " (use " + chunkLength + " or more)");
        }
        this.budgetLength = budgetLength;
        this.chunkLength = chunkLength;
        chunkPageCount = (chunkLength >> Page.SHIFT) - 1;
        runPagesMax = (chunkLength >> Page.SHIFT) / 4;
        reservePages = Math.max(
                Math.min(RESERVE_PAGES_MIN, budgetLength >> (Page.SHIFT + RESERVE_SHIFT_MIN)),
                budgetLength >> (Page.SHIFT + RESERVE_SHIFT));
    }

    /**
     * What was taken from the system. Any thread may ask.
     *
     * @return bytes.
     */
    public long reservedLength() {
        return reserved.getAcquire() + (spare.getAcquire() == 0 ? 0 : chunkLength);
    }

    /**
     * The bound of {@link #reservedLength}.
     *
     * @return bytes.
     */
    public long budgetLength() {
        return budgetLength;
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
        final boolean hasFreed = freeAtSystem(surplus.getAndSet(0));
        if (spare.getAcquire() != 0 || reserved.getAcquire() + chunkLength > budgetLength) {
            return hasFreed;
        }
        spare.setRelease(Chunk.allocateTouched(chunkLength));
        return true;
    }

    private static boolean freeAtSystem(final long address) {
        if (address == 0) {
            return false;
        }
        UnsafeApi.freeMemory(address);
        return true;
    }

    /** Gives everything back. Nobody may use a store, or read a version, from then on. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        for (final Chunk chunk : chunks) {
            if (chunk != null) {
                freeAtSystem(chunk.origin());
            }
        }
        chunks.clear();
        while (ownBlocks != 0) {
            final long page = ownBlocks;
            ownBlocks = Page.next(page);
            UnsafeApi.freeMemory(Page.origin(page));
        }
        freeAtSystem(spare.getAndSet(0));
        freeAtSystem(surplus.getAndSet(0));
        reserved.setRelease(0);
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Pages that something lies in. */
    long usedPageCount() {
        long count = -freePageCount;
        for (final Chunk chunk : chunks) {
            count += chunk == null ? 0 : chunk.pageCount();
        }
        return count;
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
            final int sizeClass = SizeClasses.of((int) length);
            return partialClass(sizeClass, CLASS_SPAN) >= 0 || hasPages(1);
        }
        final long pageCount = pageCount(length);
        return pageCount > runPagesMax ? fits(ownLength(length)) : hasPages((int) pageCount);
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
        final long unreserved = budgetLength - reserved.getPlain() - (isOwn ? ownLength(length) : 0);
        final long available = freePageCount + Math.max(0, unreserved) / chunkLength * chunkPageCount;
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
            return allocateSmall(SizeClasses.of((int) length));
        }
        final long pageCount = pageCount(length);
        return pageCount > runPagesMax ? allocateOwn(ownLength(length)) : allocateRun((int) pageCount);
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
            freeSmall(page, kind, block);
        } else if (kind == Page.KIND_RUN) {
            givePages(Page.chunk(page), page, Page.runPageCount(page));
        } else {
            ownBlocks = Page.unlink(page, ownBlocks);
            reserved.setRelease(reserved.getPlain() - Page.ownLength(page));
            UnsafeApi.freeMemory(Page.origin(page));
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
        final int index = chunkWithRun(count, true);
        return index < 0 ? 0 : takePages(index, count);
    }

    /**
     * Gives pages back; slow, for stores that are closed.
     *
     * @param address from {@link #allocatePages}.
     * @param count   that was asked for.
     */
    void freePages(final long address, final int count) {
        for (int i = 0; i < chunks.size(); i++) {
            final Chunk chunk = chunks.get(i);
            if (chunk != null && chunk.holds(address)) {
                givePages(i, address, count);
                return;
            }
        }
        throw new IllegalArgumentException("state memory: not its page: " + address);
    }

    /**
     * Puts one empty chunk aside to be given back to the system, if there is another one; the one that was put aside
     * before goes back at once if {@link #prepare} has not done that.
     *
     * @return whether it did.
     */
    public boolean trim() {
        if (emptyChunkCount < 2) {
            return false;
        }
        for (int i = chunks.size() - 1; i >= 0; i--) {
            final Chunk chunk = chunks.get(i);
            if (chunk != null && chunk.isEmpty()) {
                chunks.set(i, null);
                chunkCount--;
                emptyChunkCount--;
                freePageCount -= chunk.pageCount();
                reserved.setRelease(reserved.getPlain() - chunkLength);
                freeAtSystem(surplus.getAndSet(chunk.origin()));
                return true;
            }
        }
        return false;
    }

    private long allocateSmall(final int sizeClass) {
        long page = partialPages[sizeClass];
        int taken = sizeClass;
        if (page == 0) {
            page = newPage(sizeClass);
            if (page == 0) {
                taken = partialClass(sizeClass, CLASS_SPAN + CLASS_DOUBT);
                if (taken < 0) {
                    return 0;
                }
                page = partialPages[taken];
            }
        }
        final int blockLength = SizeClasses.length(taken);
        final long block = Page.takeBlock(page, blockLength);
        if (Page.isFull(page, blockLength)) {
            partialPages[taken] = Page.unlink(page, page);
        }
        return block;
    }

    /** A class of blocks that are long enough, of which there are some, or -1. */
    private int partialClass(final int sizeClass, final int span) {
        final int end = Math.min(SizeClasses.count(), sizeClass + span + 1);
        for (int i = sizeClass; i < end; i++) {
            if (partialPages[i] != 0) {
                return i;
            }
        }
        return -1;
    }

    private long newPage(final int sizeClass) {
        final int index = chunkWithRun(1, false);
        if (index < 0) {
            return 0;
        }
        final long page = takePages(index, 1);
        Page.format(page, sizeClass, index);
        partialPages[sizeClass] = page;
        return page;
    }

    private void freeSmall(final long page, final int sizeClass, final long block) {
        final boolean wasFull = Page.isFull(page, SizeClasses.length(sizeClass));
        Page.giveBlock(page, block);
        if (wasFull) {
            Page.linkBefore(page, partialPages[sizeClass]);
            partialPages[sizeClass] = page;
        }
        if (Page.isEmpty(page)) {
            partialPages[sizeClass] = Page.unlink(page, partialPages[sizeClass]);
            givePages(Page.chunk(page), page, 1);
        }
    }

    private long allocateRun(final int pageCount) {
        final int index = chunkWithRun(pageCount, false);
        if (index < 0) {
            return 0;
        }
        final long page = takePages(index, pageCount);
        Page.formatRun(page, index, pageCount);
        return Page.firstBlock(page);
    }

    private long allocateOwn(final long length) {
        if (!fits(length)) {
            return 0;
        }
        final long origin = UnsafeApi.allocateMemory(length);
        reserved.setRelease(reserved.getPlain() + length);
        final long page = Page.of(origin + Page.LENGTH - 1);
        Page.formatOwn(page, origin, length);
        Page.linkBefore(page, ownBlocks);
        ownBlocks = page;
        return Page.firstBlock(page);
    }

    private static long pageCount(final long length) {
        return (length + Page.HEADER_LENGTH + Page.LENGTH - 1) >> Page.SHIFT;
    }

    private static long ownLength(final long length) {
        return BitUtil.align(length + Page.HEADER_LENGTH, Long.BYTES) + Page.LENGTH;
    }

    private boolean fits(final long length) {
        return reserved.getPlain() + length <= budgetLength;
    }

    private boolean hasPages(final int count) {
        return fits(chunkLength) || findChunk(count, true) >= 0 || findChunk(count, false) >= 0;
    }

    private int chunkWithRun(final int count, final boolean isOfTables) {
        final int index = findChunk(count, isOfTables);
        if (index >= 0) {
            return index;
        }
        return fits(chunkLength) ? newChunk(isOfTables) : findChunk(count, !isOfTables);
    }

    /** The first chunk with a run, so that the last ones become empty. */
    private int findChunk(final int count, final boolean isOfTables) {
        if (freePageCount < count) {
            return -1;
        }
        final int size = chunks.size();
        while (firstWithRoom < size && freeCount(firstWithRoom) == 0) {
            firstWithRoom++;
        }
        for (int i = firstWithRoom; i < size; i++) {
            if (freeCount(i) >= count) {
                final Chunk chunk = chunks.get(i);
                if (chunk.isOfTables() == isOfTables && chunk.findRun(count) >= 0) {
                    return i;
                }
            }
        }
        return -1;
    }

    private int freeCount(final int index) {
        final Chunk chunk = chunks.get(index);
        return chunk == null ? 0 : chunk.freeCount();
    }

    private int newChunk(final boolean isOfTables) {
        long address = spare.getAndSet(0);
        if (address == 0) {
            address = UnsafeApi.allocateMemory(chunkLength);
        }
        reserved.setRelease(reserved.getPlain() + chunkLength);
        final Chunk chunk = new Chunk(address, chunkLength, isOfTables);
        freePageCount += chunk.pageCount();
        emptyChunkCount++;
        final int index = chunkCount == chunks.size() ? -1 : chunks.indexOf(null);
        chunkCount++;
        if (index >= 0) {
            chunks.set(index, chunk);
            firstWithRoom = Math.min(firstWithRoom, index);
            return index;
        }
        chunks.add(chunk);
        return chunks.size() - 1;
    }

    private long takePages(final int index, final int count) {
        final Chunk chunk = chunks.get(index);
        if (chunk.isEmpty()) {
            emptyChunkCount--;
        }
        freePageCount -= count;
        return chunk.take(chunk.findRun(count), count);
    }

    private void givePages(final int index, final long page, final int count) {
        final Chunk chunk = chunks.get(index);
        chunk.give(page, count);
        freePageCount += count;
        firstWithRoom = Math.min(firstWithRoom, index);
        if (chunk.isEmpty()) {
            emptyChunkCount++;
        }
    }
}
