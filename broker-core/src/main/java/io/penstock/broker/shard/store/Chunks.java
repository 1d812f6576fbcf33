package io.penstock.broker.shard.store;

import java.util.ArrayList;
import java.util.List;

/** The chunks of one shard's memory, out of which runs of pages are taken. Owned by the writer. */
final class Chunks {
    private final MemoryBudget budget;
    private final List<Chunk> chunks = new ArrayList<>();
    private int chunkCount;
    private int emptyChunkCount;
    private int firstWithRoom;
    private long freePageCount;

    Chunks(final MemoryBudget budget) {
        this.budget = budget;
    }

    /** Pages that something lies in. */
    long usedPageCount() {
        long count = -freePageCount;
        for (final Chunk chunk : chunks) {
            count += chunk == null ? 0 : chunk.pageCount();
        }
        return count;
    }

    long freePageCount() {
        return freePageCount;
    }

    /** Whether {@link #withRun} would find a chunk. */
    boolean hasRun(final int count) {
        return budget.fits(budget.chunkLength()) || find(count, true) >= 0 || find(count, false) >= 0;
    }

    /**
     * Finds free pages next to each other, in a new chunk if there are none. Tables have chunks of their own while there
     * is memory for more chunks.
     *
     * @param count      of pages.
     * @param isOfTables whether they are for a table.
     * @return number of the chunk that has them, or -1.
     */
    int withRun(final int count, final boolean isOfTables) {
        final int index = find(count, isOfTables);
        if (index >= 0) {
            return index;
        }
        return budget.fits(budget.chunkLength()) ? add(isOfTables) : find(count, !isOfTables);
    }

    /** The first chunk with a run, so that the last ones become empty. */
    private int find(final int count, final boolean isOfTables) {
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

    private int add(final boolean isOfTables) {
        final Chunk chunk = new Chunk(budget.takeChunk(), budget.chunkLength(), isOfTables);
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

    /**
     * Takes pages.
     *
     * @param index that {@link #withRun} has found.
     * @param count of pages that it was asked for.
     * @return address of the first.
     */
    long take(final int index, final int count) {
        final Chunk chunk = chunks.get(index);
        if (chunk.isEmpty()) {
            emptyChunkCount--;
        }
        freePageCount -= count;
        return chunk.take(chunk.findRun(count), count);
    }

    void give(final int index, final long page, final int count) {
        final Chunk chunk = chunks.get(index);
        chunk.give(page, count);
        freePageCount += count;
        firstWithRoom = Math.min(firstWithRoom, index);
        if (chunk.isEmpty()) {
            emptyChunkCount++;
        }
    }

    /** Gives pages back without knowing their chunk; slow. */
    void give(final long page, final int count) {
        for (int i = 0; i < chunks.size(); i++) {
            final Chunk chunk = chunks.get(i);
            if (chunk != null && chunk.holds(page)) {
                give(i, page, count);
                return;
            }
        }
        throw new IllegalArgumentException("state memory: not its page: " + page);
    }

    /** Gives back the last empty chunk, if there is another one. Returns whether it did. */
    boolean trim() {
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
                budget.giveChunk(chunk.origin());
                return true;
            }
        }
        return false;
    }

    /** Gives all chunks back to the system, whatever lies in them. */
    void close() {
        for (final Chunk chunk : chunks) {
            if (chunk != null) {
                budget.freeChunk(chunk.origin());
            }
        }
        chunks.clear();
    }
}
