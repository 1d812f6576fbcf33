package io.penstock.broker.query.block;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The blocks of a source that a query has left to look at. Each is taken once, in any order, by one of the query's
 * workers; safe on any thread, and nobody waits.
 */
public final class BlockClaims {
    /** No block is left. */
    public static final int NONE = -1;

    private final int count;

    /** Blocks that are left, those included whose taker has not counted them so far; once {@link #take} has found none, no more. */
    private final AtomicInteger left;

    /** A bit for each block that was taken; those behind the last one are taken from the start. */
    private final AtomicLongArray taken;

    /**
     * Blocks of which none was taken.
     *
     * @param count of the blocks.
     */
    public BlockClaims(final int count) {
        this.count = count;
        left = new AtomicInteger(count);
        taken = new AtomicLongArray((count + Long.SIZE - 1) / Long.SIZE);
        if (count % Long.SIZE != 0) {
            taken.set(taken.length() - 1, -1L << count);
        }
    }

    /**
     * How many blocks there are.
     *
     * @return count, those that were taken included.
     */
    public int count() {
        return count;
    }

    /**
     * Whether no block is left. It may be said a little late, but not to whom {@link #take} has given none.
     *
     * @return true for good.
     */
    public boolean isEmpty() {
        return left.getAcquire() <= 0;
    }

    /**
     * Takes the first block that is left, from one on and then from the first one on.
     *
     * @param from a number of a block; one behind the last one is the first one.
     * @return the block, which is the caller's now, or {@link #NONE} when none is left.
     */
    public int take(final int from) {
        if (isEmpty()) {
            return NONE;
        }
        final int start = from >= count ? 0 : from;
        final int startWord = start / Long.SIZE;
        int block = takeIn(startWord, -1L << start);
        for (int i = 1; i < taken.length() && block == NONE; i++) {
            final int word = startWord + i;
            block = takeIn(word < taken.length() ? word : word - taken.length(), -1L);
        }
        if (block == NONE) {
            block = takeIn(startWord, ~(-1L << start));
        }
        if (block == NONE) {
            // Who has taken the last one may have lost its processor before it counts that: nobody waits for it.
            left.setRelease(0);
        }
        return block;
    }

    /** Takes the first block that is left among some of a word. Who comes too late for one finds fewer left: 64 times at most. */
    private int takeIn(final int word, final long among) {
        long present = taken.getAcquire(word);
        while ((~present & among) != 0) {
            final long block = Long.lowestOneBit(~present & among);
            final long before = taken.compareAndExchange(word, present, present | block);
            if (before == present) {
                left.getAndDecrement();
                return word * Long.SIZE + Long.numberOfTrailingZeros(block);
            }
            present = before;
        }
        return NONE;
    }
}
