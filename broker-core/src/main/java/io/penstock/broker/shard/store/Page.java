package io.penstock.broker.shard.store;

import org.agrona.UnsafeApi;

/**
 * The head of a page, or of a run of pages, at an address that is a multiple of {@link #LENGTH}; so the head of a block
 * is found from the block's address alone. A page of a size class is cut into blocks that are handed out in turn first,
 * and from a list of freed ones later; a run or a piece of memory of its own is one block.
 *
 * <pre>
 *   0        8        16          20         24     28      32      36   40
 *   +--------+--------+-----------+----------+------+-------+-------+----+-----------+---
 *   | next   | previous| free head | used count| kind | chunk | fresh |    | block     | ...
 *   +--------+--------+-----------+----------+------+-------+-------+----+-----------+---
 *                     | origin (own memory)  |              | length, 8  |
 * </pre>
 */
final class Page {
    static final int SHIFT = 14;
    static final int LENGTH = 1 << SHIFT;

    private static final int NEXT_OFFSET = 0;
    private static final int PREVIOUS_OFFSET = NEXT_OFFSET + Long.BYTES;
    private static final int FREE_HEAD_OFFSET = PREVIOUS_OFFSET + Long.BYTES;
    private static final int ORIGIN_OFFSET = FREE_HEAD_OFFSET;
    private static final int USED_COUNT_OFFSET = FREE_HEAD_OFFSET + Integer.BYTES;
    private static final int KIND_OFFSET = USED_COUNT_OFFSET + Integer.BYTES;
    private static final int CHUNK_OFFSET = KIND_OFFSET + Integer.BYTES;
    private static final int FRESH_OFFSET = CHUNK_OFFSET + Integer.BYTES;
    private static final int OWN_LENGTH_OFFSET = FRESH_OFFSET;

    static final int HEADER_LENGTH = OWN_LENGTH_OFFSET + Long.BYTES;
    static final int CAPACITY = LENGTH - HEADER_LENGTH;

    /** A run of pages that is one block. */
    static final int KIND_RUN = -1;
    /** Memory of its own, for one long block. */
    static final int KIND_OWN = -2;

    private Page() {}

    /**
     * The page of a block.
     *
     * @param block address.
     * @return address of the page, or of the first of the run.
     */
    static long of(final long block) {
        return block & -LENGTH;
    }

    static long firstBlock(final long page) {
        return page + HEADER_LENGTH;
    }

    static void format(final long page, final int kind, final int chunk) {
        UnsafeApi.putLong(page + NEXT_OFFSET, 0);
        UnsafeApi.putLong(page + PREVIOUS_OFFSET, 0);
        UnsafeApi.putInt(page + FREE_HEAD_OFFSET, 0);
        UnsafeApi.putInt(page + USED_COUNT_OFFSET, 0);
        UnsafeApi.putInt(page + KIND_OFFSET, kind);
        UnsafeApi.putInt(page + CHUNK_OFFSET, chunk);
        UnsafeApi.putInt(page + FRESH_OFFSET, HEADER_LENGTH);
    }

    static void formatRun(final long page, final int chunk, final int pageCount) {
        format(page, KIND_RUN, chunk);
        UnsafeApi.putInt(page + USED_COUNT_OFFSET, pageCount);
    }

    static void formatOwn(final long page, final long origin, final long length) {
        format(page, KIND_OWN, -1);
        UnsafeApi.putLong(page + ORIGIN_OFFSET, origin);
        UnsafeApi.putLong(page + OWN_LENGTH_OFFSET, length);
    }

    /** The size class, or one of the kinds below 0. */
    static int kind(final long page) {
        return UnsafeApi.getInt(page + KIND_OFFSET);
    }

    static int chunk(final long page) {
        return UnsafeApi.getInt(page + CHUNK_OFFSET);
    }

    static int runPageCount(final long page) {
        return UnsafeApi.getInt(page + USED_COUNT_OFFSET);
    }

    static long origin(final long page) {
        return UnsafeApi.getLong(page + ORIGIN_OFFSET);
    }

    static long ownLength(final long page) {
        return UnsafeApi.getLong(page + OWN_LENGTH_OFFSET);
    }

    static long next(final long page) {
        return UnsafeApi.getLong(page + NEXT_OFFSET);
    }

    /**
     * Puts a page in front of a list.
     *
     * @param page to put there.
     * @param head of the list so far, or 0.
     */
    static void linkBefore(final long page, final long head) {
        UnsafeApi.putLong(page + NEXT_OFFSET, head);
        UnsafeApi.putLong(page + PREVIOUS_OFFSET, 0);
        if (head != 0) {
            UnsafeApi.putLong(head + PREVIOUS_OFFSET, page);
        }
    }

    /**
     * Takes a page out of its list.
     *
     * @param page in the list.
     * @param head of the list.
     * @return head of the list without it.
     */
    static long unlink(final long page, final long head) {
        final long next = UnsafeApi.getLong(page + NEXT_OFFSET);
        final long previous = UnsafeApi.getLong(page + PREVIOUS_OFFSET);
        if (next != 0) {
            UnsafeApi.putLong(next + PREVIOUS_OFFSET, previous);
        }
        if (previous == 0) {
            return next;
        }
        UnsafeApi.putLong(previous + NEXT_OFFSET, next);
        return head;
    }

    /**
     * Hands out a block of a page that is not full.
     *
     * @param page        of a size class.
     * @param blockLength of the class.
     * @return address.
     */
    static long takeBlock(final long page, final int blockLength) {
        UnsafeApi.putInt(page + USED_COUNT_OFFSET, UnsafeApi.getInt(page + USED_COUNT_OFFSET) + 1);
        final int freeHead = UnsafeApi.getInt(page + FREE_HEAD_OFFSET);
        if (freeHead != 0) {
            UnsafeApi.putInt(page + FREE_HEAD_OFFSET, UnsafeApi.getInt(page + freeHead));
            return page + freeHead;
        }
        final int fresh = UnsafeApi.getInt(page + FRESH_OFFSET);
        assert fresh + blockLength <= LENGTH;
        UnsafeApi.putInt(page + FRESH_OFFSET, fresh + blockLength);
        return page + fresh;
    }

    static void giveBlock(final long page, final long block) {
        UnsafeApi.putInt(block, UnsafeApi.getInt(page + FREE_HEAD_OFFSET));
        UnsafeApi.putInt(page + FREE_HEAD_OFFSET, (int) (block - page));
        UnsafeApi.putInt(page + USED_COUNT_OFFSET, UnsafeApi.getInt(page + USED_COUNT_OFFSET) - 1);
    }

    static boolean isFull(final long page, final int blockLength) {
        return UnsafeApi.getInt(page + FREE_HEAD_OFFSET) == 0
                && UnsafeApi.getInt(page + FRESH_OFFSET) + blockLength > LENGTH;
    }

    static boolean isEmpty(final long page) {
        return UnsafeApi.getInt(page + USED_COUNT_OFFSET) == 0;
    }
}
