package io.penstock.orb.chunk;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keeps some segments for streams that come: a call has a stream of its own, and new memory is cleared first. What is more is
 * not kept. Guarded by the connection's lock.
 */
final class SegmentPool {
    private static final int LENGTH_SHIFT_MIN = 12;
    private static final int LENGTH_SHIFT_MAX = 16;
    static final int LENGTH_MAX = 1 << LENGTH_SHIFT_MAX;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final Deque<byte[]>[] kept = new Deque[LENGTH_SHIFT_MAX - LENGTH_SHIFT_MIN + 1];

    private final int keptLengthMax;
    private int keptLength;

    /**
     * Keeps nothing yet.
     *
     * @param keptLengthMax of all lengths together, in bytes.
     */
    SegmentPool(final int keptLengthMax) {
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

    byte[] take(final int length) {
        final byte[] known = kept[index(length)].poll();
        if (known == null) {
            return new byte[length];
        }
        keptLength -= length;
        return known;
    }

    void give(final byte[] segment) {
        if (keptLength + segment.length <= keptLengthMax) {
            keptLength += segment.length;
            kept[index(segment.length)].push(segment);
        }
    }

    /** What is kept, in bytes. */
    int keptLength() {
        return keptLength;
    }

    private static int index(final int length) {
        return Integer.numberOfTrailingZeros(length) - LENGTH_SHIFT_MIN;
    }
}
