package io.penstock.broker.shard.store;

/** Blocks that share pages, and the pages of each size class that have room. Owned by the writer. */
final class SmallBlocks {
    /** How many classes longer a block may be, when there is no room for one of its own class. */
    private static final int CLASS_SPAN = 16;
    /** A put knows its length better than the question whether there is room, by up to so many classes. */
    private static final int CLASS_DOUBT = Version.EXTENSION_LENGTH_MAX / Long.BYTES;

    private final Chunks chunks;
    private final long[] partialPages = new long[SizeClasses.count()];

    SmallBlocks(final Chunks chunks) {
        this.chunks = chunks;
    }

    /** Whether {@link #allocate} would succeed; see {@link StateMemory#hasRoom}. */
    boolean hasRoom(final int length) {
        return partialClass(SizeClasses.of(length), CLASS_SPAN) >= 0 || chunks.hasRun(1);
    }

    /**
     * Takes a block.
     *
     * @param length in bytes, at most {@link SizeClasses#LENGTH_MAX}.
     * @return address, or 0 when there is no room.
     */
    long allocate(final int length) {
        final int sizeClass = SizeClasses.of(length);
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
        final int index = chunks.withRun(1, false);
        if (index < 0) {
            return 0;
        }
        final long page = chunks.take(index, 1);
        Page.format(page, sizeClass, index);
        partialPages[sizeClass] = page;
        return page;
    }

    void free(final long page, final int sizeClass, final long block) {
        final boolean wasFull = Page.isFull(page, SizeClasses.length(sizeClass));
        Page.giveBlock(page, block);
        if (wasFull) {
            Page.linkBefore(page, partialPages[sizeClass]);
            partialPages[sizeClass] = page;
        }
        if (Page.isEmpty(page)) {
            partialPages[sizeClass] = Page.unlink(page, partialPages[sizeClass]);
            chunks.give(Page.chunk(page), page, 1);
        }
    }
}
