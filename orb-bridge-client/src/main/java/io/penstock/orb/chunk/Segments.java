package io.penstock.orb.chunk;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Bytes of a stream that have come and were not read yet, in segments that are given back as soon as they are read.
 * Guarded by the connection's lock, except claimed memory: the thread that reads the connection writes there without
 * the lock.
 */
final class Segments {
    private static final int CLAIM_LENGTH_MIN = 8 * 1024;

    private final SegmentPool pool;
    private final Deque<byte[]> segments = new ArrayDeque<>(2);
    private int position;
    private int end;
    private int length;
    private int heldLength;
    private boolean isClaimed;

    Segments(final SegmentPool pool) {
        this.pool = pool;
    }

    /** Bytes that were not read. */
    int length() {
        return length;
    }

    /** Bytes of all segments. */
    int heldLength() {
        return heldLength;
    }

    /** Bytes of the segments that so many more bytes need. */
    int growth(final int count) {
        int left = count - room();
        int growth = 0;
        while (left > 0) {
            final int more = SegmentPool.length(left);
            growth += more;
            left -= more;
        }
        return growth;
    }

    /** Room in the last segment. */
    int room() {
        final byte[] last = segments.peekLast();
        return last == null ? 0 : last.length - end;
    }

    void put(final byte[] bytes, final int offset, final int count) {
        int at = offset;
        int left = count;
        while (left > 0) {
            final byte[] last = last(left);
            final int some = Math.min(left, last.length - end);
            System.arraycopy(bytes, at, last, end, some);
            end += some;
            length += some;
            at += some;
            left -= some;
        }
    }

    private byte[] last(final int count) {
        byte[] last = segments.peekLast();
        if (last == null || last.length == end) {
            last = pool.take(SegmentPool.length(count));
            segments.add(last);
            heldLength += last.length;
            end = 0;
        }
        return last;
    }

    /** Whether so many bytes are better put there than copied: not into the rest of a segment. */
    boolean isClaimable(final int count) {
        final int room = room();
        return room == 0 || room >= Math.min(count, CLAIM_LENGTH_MIN);
    }

    /** Bytes of the segment that {@link #claim} needs. */
    int claimGrowth(final int count) {
        return room() > 0 ? 0 : SegmentPool.length(count);
    }

    /** Where so many bytes, or the first of them, are put without the lock, until {@link #claimed}. */
    Claim claim(final int count) {
        final byte[] last = last(count);
        isClaimed = true;
        return new Claim(last, end, Math.min(count, last.length - end), false);
    }

    /** Counts the bytes that were put there. */
    void claimed(final int count) {
        isClaimed = false;
        if (!segments.isEmpty()) {
            end += count;
            length += count;
        }
    }

    int take(final byte[] bytes, final int offset, final int count) {
        int taken = 0;
        while (taken < count && length > 0) {
            final byte[] first = segments.element();
            final int segmentEnd = segments.size() == 1 ? end : first.length;
            final int some = Math.min(count - taken, segmentEnd - position);
            System.arraycopy(first, position, bytes, offset + taken, some);
            taken += some;
            position += some;
            length -= some;
            if (position == segmentEnd && (segments.size() > 1 || !isClaimed)) {
                position = 0;
                giveFirst();
            }
        }
        return taken;
    }

    private void giveFirst() {
        final byte[] first = segments.remove();
        heldLength -= first.length;
        pool.give(first);
    }

    /** Gives all segments back; unread bytes are lost. */
    void clear() {
        if (isClaimed) {
            // It is written still, so nobody else may have it.
            heldLength -= segments.removeLast().length;
        }
        while (!segments.isEmpty()) {
            giveFirst();
        }
        position = 0;
        end = 0;
        length = 0;
    }
}
