package io.penstock.broker.shard.store;

import org.agrona.UnsafeApi;

/**
 * The last changes of a block of rows, for readers that keep something beside the rows and bring it up to date. The
 * writer adds a change and never waits; what it overwrites is lost to readers that come late, and they find out.
 *
 * <pre>
 *   +-------+----------------+-----+     change: sequence, its lowest 53 bits | row in its block, 11 bits
 *   | count | change, change | ... |
 *   |  (8)  |     x 63       |     |     the change at position p lies in place p % 63
 *   +-------+----------------+-----+
 * </pre>
 *
 * <p><b>Order.</b> Each store of the writer is a release: place of p, count p + 1, place of p + 1, and so on, and only
 * then the row. A reader with a snapshot of P has got that snapshot from the writer, so it sees all changes up to P, in
 * the count and in their places; later ones it may see or not. It reads the count, then places from the last one down,
 * then the count again, each with acquire. If it has read in the place of p the change at p + 63, it sees a count of p + 63
 * or more afterwards: so what it read at p is the change at p when the second count is less than p + 63.
 *
 * <p>Sequences do not decrease, so the first change that is not after a sequence ends the search.
 */
public final class ChangeRing {
    /** Changes that are remembered. */
    public static final int CAPACITY = 63;

    /** Bytes of a ring, from a multiple of 8. */
    static final int LENGTH = (CAPACITY + 1) * Long.BYTES;

    private static final int CHANGES_OFFSET = Long.BYTES;
    private static final int ROW_BITS = RowTable.BLOCK_SHIFT;
    private static final long ROW_MASK = RowTable.BLOCK_LENGTH - 1;

    private ChangeRing() {}

    /** Makes it empty. Called by the writer before others know the ring. */
    static void clear(final long ring) {
        UnsafeApi.setMemory(ring, LENGTH, (byte) 0);
    }

    /** Notes a change that is about to be made. Called by the writer. */
    static void add(final long ring, final int rowInBlock, final long sequence) {
        final long count = UnsafeApi.getLong(ring);
        UnsafeApi.putLongRelease(null, place(ring, count), (sequence << ROW_BITS) | rowInBlock);
        UnsafeApi.putLongRelease(null, ring, count + 1);
    }

    /** Reads from where the next change will be noted. Called by the writer. */
    static long lookAt(final long ring) {
        return UnsafeApi.getLong(place(ring, UnsafeApi.getLong(ring)));
    }

    /**
     * Reads the changes between two sequences, the last one first. Any thread, under a snapshot of the later sequence.
     *
     * @param ring  address.
     * @param after sequence before the first change.
     * @param upTo  sequence of the last change.
     * @param into  gets the changes; {@link #CAPACITY} at most.
     * @return count of changes, or -1 when some may have been overwritten.
     */
    static int read(final long ring, final long after, final long upTo, final long[] into) {
        final long end = UnsafeApi.getLongAcquire(null, ring);
        final long first = Math.max(0, end - CAPACITY);
        int count = 0;
        long position = end;
        boolean isComplete = first == 0;
        while (position > first) {
            position--;
            final long change = UnsafeApi.getLongAcquire(null, place(ring, position));
            if (distance(change, after) <= 0) {
                isComplete = true;
                break;
            }
            if (distance(change, upTo) <= 0) {
                into[count++] = change;
            }
        }
        final boolean isIntact = UnsafeApi.getLongAcquire(null, ring) - position < CAPACITY;
        return isComplete && isIntact ? count : -1;
    }

    /**
     * The row of a change.
     *
     * @param change from {@link StateStore#readChanges}.
     * @return row, counted from the first one of its block.
     */
    public static int row(final long change) {
        return (int) (change & ROW_MASK);
    }

    /**
     * The sequence of a change.
     *
     * @param change from {@link StateStore#readChanges}.
     * @param near   the sequence after which it was asked for.
     * @return sequence.
     */
    public static long sequence(final long change, final long near) {
        return near + distance(change, near);
    }

    /** How far a change is after a sequence. */
    private static long distance(final long change, final long sequence) {
        return ((change & ~ROW_MASK) - (sequence << ROW_BITS)) >> ROW_BITS;
    }

    private static long place(final long ring, final long position) {
        return ring + CHANGES_OFFSET + position % CAPACITY * Long.BYTES;
    }
}
