package io.penstock.orb.chunk;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keeps memory for what comes, and for frames that wait to be sent: a call has a stream of its own, and new memory is cleared
 * first. Shared by connections, so that what is kept is little however many there are, and is what was used last. What is more
 * is not kept. Safe on any thread.
 */
public final class SegmentPool {
    private static final int LENGTH_SHIFT_MIN = 12;
    private static final int LENGTH_SHIFT_MAX = 16;
    static final int LENGTH_MAX = 1 << LENGTH_SHIFT_MAX;

    /** Half of the kept memory is for the longest segments, so that others do not take their room. */
    private static final int LONGEST_PARTS = 2;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final Deque<byte[]>[] kept = new Deque[LENGTH_SHIFT_MAX - LENGTH_SHIFT_MIN + 1];

    private final int keptLengthMax;
    private int keptLength;
    private int keptShortLength;

    /**
     * Keeps nothing yet.
     *
     * @param keptLengthMax of all lengths together, in bytes.
     */
    public SegmentPool(final int keptLengthMax) {
        this.keptLengthMax = keptLengthMax;
        for (int i = 0; i < kept.length; i++) {
            kept[i] = new ArrayDeque<>();
        }
    }

    /** The length of a segment for so many bytes, or the first of them; a power of two. */
    static int length(final int count) {
        final int wanted = Integer.highestOneBit(Math.max(1, Math.min(count, LENGTH_MAX) - 1)) << 1;
        return Math.max(1 << LENGTH_SHIFT_MIN, wanted);
    }

    /** A segment, with whatever was in it. */
    byte[] take(final int length) {
        synchronized (this) {
            final byte[] known = kept[index(length)].poll();
            if (known != null) {
                count(-length);
                return known;
            }
        }
        return new byte[length];
    }

    /** It is used no more. */
    synchronized void give(final byte[] segment) {
        final int length = segment.length;
        final boolean isRoom =
                length == LENGTH_MAX || keptShortLength + length <= keptLengthMax - keptLengthMax / LONGEST_PARTS;
        if (isRoom && keptLength + length <= keptLengthMax) {
            count(length);
            kept[index(length)].push(segment);
        }
    }

    private void count(final int length) {
        keptLength += length;
        if (Math.abs(length) < LENGTH_MAX) {
            keptShortLength += length;
        }
    }

    /** Length of kept memory, in bytes. */
    synchronized int keptLength() {
        return keptLength;
    }

    private static int index(final int length) {
        return Integer.numberOfTrailingZeros(length) - LENGTH_SHIFT_MIN;
    }
}
