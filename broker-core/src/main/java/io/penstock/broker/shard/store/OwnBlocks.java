package io.penstock.broker.shard.store;

import org.agrona.BitUtil;
import org.agrona.UnsafeApi;

/** Blocks that are too long for chunks: each has memory of its own, from the system. Owned by the writer. */
final class OwnBlocks {
    private final MemoryBudget budget;
    private long firstPage;

    OwnBlocks(final MemoryBudget budget) {
        this.budget = budget;
    }

    /** Bytes that are taken from the system for a block. */
    static long reservedLength(final long length) {
        return BitUtil.align(length + Page.HEADER_LENGTH, Long.BYTES) + Page.LENGTH;
    }

    boolean hasRoom(final long length) {
        return budget.fits(reservedLength(length));
    }

    /**
     * Takes a block.
     *
     * @param length in bytes.
     * @return address, or 0 when there is no room.
     */
    long allocate(final long length) {
        final long reservedLength = reservedLength(length);
        if (!budget.fits(reservedLength)) {
            return 0;
        }
        final long origin = budget.take(reservedLength);
        final long page = Page.of(origin + Page.LENGTH - 1);
        Page.formatOwn(page, origin, reservedLength);
        Page.linkBefore(page, firstPage);
        firstPage = page;
        return Page.firstBlock(page);
    }

    void free(final long page) {
        firstPage = Page.unlink(page, firstPage);
        budget.give(Page.origin(page), Page.ownLength(page));
    }

    /** Gives all blocks back to the system. */
    void close() {
        while (firstPage != 0) {
            final long page = firstPage;
            firstPage = Page.next(page);
            UnsafeApi.freeMemory(Page.origin(page));
        }
    }
}
