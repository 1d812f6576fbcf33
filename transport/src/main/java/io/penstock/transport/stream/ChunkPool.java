package io.penstock.transport.stream;

import java.util.ArrayDeque;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;

/**
 * Lends chunks whose lengths are powers of two. Keeps a bounded number of bytes for reuse, so that connections that
 * take and give all the time allocate nothing, and frees the rest at once. Owned by the agent of a transport.
 */
public final class ChunkPool {
    static final int CHUNK_LENGTH_MIN = 1024;

    /** Bytes that are kept for reuse at most. */
    static final int KEPT_LENGTH_MAX = 8 * 1024 * 1024;

    private static final int SHIFT_MIN = Integer.numberOfTrailingZeros(CHUNK_LENGTH_MIN);
    private static final int SHIFT_COUNT = Integer.SIZE - 1 - SHIFT_MIN;

    private final ArrayDeque<Chunk>[] freeByShift;
    private int keptLength;
    private int lentCount;

    /** A pool that keeps nothing yet. */
    public ChunkPool() {
        @SuppressWarnings({"unchecked", "rawtypes"})
        final ArrayDeque<Chunk>[] free = new ArrayDeque[SHIFT_COUNT];
        for (int i = 0; i < free.length; i++) {
            free[i] = new ArrayDeque<>();
        }
        freeByShift = free;
    }

    /**
     * Lends a chunk.
     *
     * @param length in bytes.
     * @return of at least that length, with any content.
     */
    public Chunk take(final int length) {
        final int shift = shiftOf(length);
        final Chunk chunk = freeByShift[shift].pollLast();
        lentCount++;
        if (chunk == null) {
            return new Chunk(CHUNK_LENGTH_MIN << shift);
        }
        keptLength -= chunk.length();
        return chunk;
    }

    /**
     * Takes a chunk back.
     *
     * @param chunk that this pool has lent.
     */
    public void give(final Chunk chunk) {
        lentCount--;
        makeRoom(chunk.length());
        if (keptLength + chunk.length() > KEPT_LENGTH_MAX) {
            BufferUtil.free(chunk.memory());
        } else {
            keptLength += chunk.length();
            freeByShift[shiftOf(chunk.length())].addLast(chunk);
        }
    }

    /** Chunks of other lengths, which nobody has wanted since they were given, give way. */
    private void makeRoom(final int length) {
        for (int shift = 0; shift < freeByShift.length && keptLength + length > KEPT_LENGTH_MAX; shift++) {
            final ArrayDeque<Chunk> others = freeByShift[shift];
            while (shift != shiftOf(length) && keptLength + length > KEPT_LENGTH_MAX && !others.isEmpty()) {
                final Chunk other = others.removeFirst();
                keptLength -= other.length();
                BufferUtil.free(other.memory());
            }
        }
    }

    /** The chunks that were taken and not given back. */
    int lentCount() {
        return lentCount;
    }

    /** The bytes that are kept for reuse. */
    int keptLength() {
        return keptLength;
    }

    /** Frees what is kept. */
    public void close() {
        for (final ArrayDeque<Chunk> free : freeByShift) {
            free.forEach(chunk -> BufferUtil.free(chunk.memory()));
            free.clear();
        }
        keptLength = 0;
    }

    private static int shiftOf(final int length) {
        final int rounded = BitUtil.findNextPositivePowerOfTwo(Math.max(length, CHUNK_LENGTH_MIN));
        return Integer.numberOfTrailingZeros(rounded) - SHIFT_MIN;
    }
}
