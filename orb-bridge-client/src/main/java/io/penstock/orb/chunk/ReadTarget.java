package io.penstock.orb.chunk;

/**
 * The place to which the reading thread of a stream wants its bytes, and how many have come there. Guarded by the
 * connection's lock, except claimed memory: the thread that reads the connection writes there without the lock.
 */
final class ReadTarget {
    private static final byte[] NO_BYTES = {};

    private byte[] bytes = NO_BYTES;
    private int offset;
    private int count;
    private int length;
    private boolean isClaimed;

    /** Bytes go to this place from here on, as long as there is room. */
    void set(final byte[] newBytes, final int newOffset, final int newCount) {
        bytes = newBytes;
        offset = newOffset;
        count = newCount;
        length = 0;
    }

    /** Most bytes that are wanted. */
    int count() {
        return count;
    }

    /** Bytes that have come there. */
    int length() {
        return length;
    }

    int room() {
        return count - length;
    }

    /** Whether another thread reads to there, without the lock. */
    boolean isClaimed() {
        return isClaimed;
    }

    /** Claims room for bytes that are read without the lock, until {@link #claimed}. */
    Claim claim(final int wanted) {
        isClaimed = true;
        return new Claim(bytes, offset + length, wanted, true);
    }

    /** Counts the bytes that were read. */
    void claimed(final int come) {
        isClaimed = false;
        length += come;
    }

    /** Puts what there is room for, and returns how much that was. */
    int put(final byte[] from, final int at, final int wanted) {
        final int some = Math.min(wanted, room());
        System.arraycopy(from, at, bytes, offset + length, some);
        length += some;
        return some;
    }

    /** How much has come there; from here on nothing does. */
    int take() {
        final int taken = length;
        set(NO_BYTES, 0, 0);
        return taken;
    }
}
