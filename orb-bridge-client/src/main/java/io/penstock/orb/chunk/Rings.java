package io.penstock.orb.chunk;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keeps some memory of streams that are over for those that come: a call has a stream of its own, and new memory is cleared
 * first. Guarded by the connection's lock.
 */
final class Rings {
    private static final int LENGTH_SHIFT_MIN = 12;
    private static final int LENGTH_SHIFT_MAX = 24;
    /** Of each length. */
    private static final int KEPT_LENGTH_MAX = 8 * 1024 * 1024;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final Deque<byte[]>[] kept = new Deque[LENGTH_SHIFT_MAX - LENGTH_SHIFT_MIN + 1];

    Rings() {
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
        return known == null ? new byte[length] : known;
    }

    void give(final byte[] ring) {
        if (ring.length > 0) {
            final Deque<byte[]> same = kept[index(ring.length)];
            if ((same.size() + 1) * ring.length <= KEPT_LENGTH_MAX) {
                same.push(ring);
            }
        }
    }

    private static int index(final int length) {
        return Integer.numberOfTrailingZeros(length) - LENGTH_SHIFT_MIN;
    }
}
