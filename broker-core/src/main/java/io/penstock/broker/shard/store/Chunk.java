package io.penstock.broker.shard.store;

import java.util.Arrays;

/** A chunk of memory and which of its pages are free. Owned by the writer. */
final class Chunk {
    private final boolean isOfTables;
    private final long origin;
    private final long firstPage;
    private final int pageCount;
    private final long[] freeBits;
    private int freeCount;
    /** No run is longer than this. */
    private int runLimit;

    /**
     * Divides memory into pages; what lies before the first multiple of the page length is lost.
     *
     * @param origin     address of the memory.
     * @param length     in bytes.
     * @param isOfTables whether it is meant for what is given back only when a store is closed.
     */
    Chunk(final long origin, final int length, final boolean isOfTables) {
        this.isOfTables = isOfTables;
        this.origin = origin;
        firstPage = Page.of(origin + Page.LENGTH - 1);
        pageCount = (int) ((origin + length - firstPage) >> Page.SHIFT);
        freeBits = new long[(pageCount + Long.SIZE - 1) / Long.SIZE];
        Arrays.fill(freeBits, -1L);
        if (pageCount % Long.SIZE != 0) {
            freeBits[freeBits.length - 1] = (1L << pageCount) - 1;
        }
        freeCount = pageCount;
        runLimit = pageCount;
    }

    long origin() {
        return origin;
    }

    boolean isOfTables() {
        return isOfTables;
    }

    int freeCount() {
        return freeCount;
    }

    int pageCount() {
        return pageCount;
    }

    boolean isEmpty() {
        return freeCount == pageCount;
    }

    boolean holds(final long address) {
        return address >= firstPage && address < firstPage + ((long) pageCount << Page.SHIFT);
    }

    /**
     * Looks for free pages next to each other.
     *
     * @param count of pages.
     * @return number of the first, or -1.
     */
    int findRun(final int count) {
        if (count > runLimit) {
            return -1;
        }
        int longest = 0;
        int from = nextFree(0);
        while (from < pageCount) {
            final int end = nextUsed(from);
            if (end - from >= count) {
                return from;
            }
            longest = Math.max(longest, end - from);
            from = nextFree(end);
        }
        runLimit = longest;
        return -1;
    }

    /**
     * Takes pages that {@link #findRun} has found.
     *
     * @param from  number of the first.
     * @param count of pages.
     * @return address of the first.
     */
    long take(final int from, final int count) {
        for (int i = from; i < from + count; i++) {
            freeBits[i / Long.SIZE] &= ~(1L << i);
        }
        freeCount -= count;
        return firstPage + ((long) from << Page.SHIFT);
    }

    void give(final long page, final int count) {
        final int from = (int) ((page - firstPage) >> Page.SHIFT);
        for (int i = from; i < from + count; i++) {
            assert (freeBits[i / Long.SIZE] & (1L << i)) == 0;
            freeBits[i / Long.SIZE] |= 1L << i;
        }
        freeCount += count;
        runLimit = freeCount;
    }

    private int nextFree(final int from) {
        return next(from, 0);
    }

    private int nextUsed(final int from) {
        return next(from, -1);
    }

    private int next(final int from, final long inverted) {
        int word = from / Long.SIZE;
        if (word >= freeBits.length) {
            return pageCount;
        }
        long bits = (freeBits[word] ^ inverted) & (-1L << from);
        while (bits == 0) {
            if (++word == freeBits.length) {
                return pageCount;
            }
            bits = freeBits[word] ^ inverted;
        }
        return Math.min(pageCount, word * Long.SIZE + Long.numberOfTrailingZeros(bits));
    }
}
