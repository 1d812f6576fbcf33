package io.penstock.orb.chunk;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keeps some memory of streams that are over for those that come: a call has a stream of its own, and new memory is cleared
 * first. What is more is not kept. Guarded by the connection's lock.
 */
final class Rings {
    private static final int LENGTH_SHIFT_MIN = 12;
    private static final int LENGTH_SHIFT_MAX = 24;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final Deque<byte[]>[] kept = new Deque[LENGTH_SHIFT_MAX - LENGTH_SHIFT_MIN + 1];

    private final int keptLengthMax;
    private int keptLength;

    /**
     * Keeps nothing yet.
     *
     * @param keptLengthMax of all lengths together, in bytes.
     */
    Rings(final int keptLengthMax) {
        this.keptLengthMax = keptLengthMax;
        for (int i = 0; i < kept.length; i++) {
            kept[i] = new ArrayDeque<>();
        }
    }

    /** The length of a ring that holds so many bytes, a power of two. */
    static int length(final int count) {
        return Math.max(1 << LENGTH_SHIFT_MIN, Integer.highestOneBit(Math.max(1, count - 1)) << 1);
    }

    byte[] take(final int length) {
        final byte[] known = kept[index(length)].poll();
        if (known == null) {
            return new byte[length];
        }
        keptLength -= length;
        return known;
    }

    void give(final byte[] ring) {
        if (ring.length > 0 && keptLength + ring.length <= keptLengthMax) {
            keptLength += ring.length;
            kept[index(ring.length)].push(ring);
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
