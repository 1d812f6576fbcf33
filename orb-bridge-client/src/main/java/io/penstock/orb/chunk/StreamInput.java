package io.penstock.orb.chunk;

/**
 * Received bytes of a stream that are not read: at the place that its reading thread has given, or put aside. Guarded
 * by the connection's lock, except where a method says otherwise.
 */
final class StreamInput {
    /** More than a frame: what is not longer comes whole, and what is longer goes straight to its reader after this. */
    private static final int READY_LENGTH = 96 * 1024;

    private final Segments segments;
    private final ReadTarget target = new ReadTarget();
    private final Waiter reader = new Waiter();
    private final int windowLength;
    private boolean isReady;
    private boolean isLong;
    // When the first of what is not enough yet has come; 0 = nothing has.
    private long partNs;
    // Of the reading thread.
    private boolean isReading;

    /**
     * Nothing yet.
     *
     * @param segments     for what is put aside.
     * @param windowLength most bytes that come before credit is given.
     */
    StreamInput(final Segments segments, final int windowLength) {
        this.segments = segments;
        this.windowLength = windowLength;
    }

    /** The reading thread, while it waits. */
    Waiter reader() {
        return reader;
    }

    /** Whether its reading thread reads for all; asked by that thread. */
    boolean isReading() {
        return isReading;
    }

    void isReading(final boolean isWanted) {
        isReading = isWanted;
    }

    /** Bytes that were put aside. */
    int length() {
        return segments.length();
    }

    /** Its reading thread waits: what comes goes where it wants it, as long as there is room. */
    void target(final byte[] bytes, final int offset, final int count) {
        target.set(bytes, offset, count);
    }

    /** Whether another thread reads to where the reading thread wants it, without the lock. */
    boolean isClaimed() {
        return target.isClaimed();
    }

    /** Whether bytes can go to where the reading thread wants them: it waits, or reads for all. */
    private boolean isTarget(final int count) {
        return segments.length() == 0 && target.room() >= count && (reader.thread() != null || isReading);
    }

    /** Bytes of the segment that {@link #claim} needs. */
    int claimGrowth(final int count) {
        return isTarget(count) ? 0 : segments.claimGrowth(count);
    }

    /** Whether so many bytes are better read to where they belong than copied. */
    boolean isClaimable(final int count) {
        return isTarget(count) || segments.isClaimable(count);
    }

    /** Where so many bytes, or some of them, can be read to without the lock. */
    Claim claim(final int count) {
        return isTarget(count) ? target.claim(count) : segments.claim(count);
    }

    void claimed(final Claim claim, final int count) {
        if (claim.isTarget()) {
            target.claimed(count);
        } else {
            segments.claimed(count);
        }
    }

    /** Puts what it can where the reading thread wants it, and returns how much that was. */
    int putToTarget(final byte[] bytes, final int offset, final int count) {
        return segments.length() > 0 ? 0 : target.put(bytes, offset, count);
    }

    /** Bytes of the segments that so many bytes more need. */
    int growth(final int count) {
        return segments.growth(count);
    }

    /** Bytes of the segments that it has. */
    int heldLength() {
        return segments.heldLength();
    }

    /** Puts bytes aside. */
    void put(final byte[] bytes, final int offset, final int count) {
        segments.put(bytes, offset, count);
    }

    /**
     * Bytes have come. They are read together: when the other side waits, or when half of what it may send is there, since
     * it may be waiting for credit then.
     *
     * @return whether they can be read from here on.
     */
    boolean come(final int flags) {
        final int waiting = target.length() + segments.length();
        isLong = (flags & (ChunkFrame.FLUSH | ChunkFrame.TURN)) == 0;
        if (isReady || waiting == 0) {
            return false;
        }
        if (partNs == 0) {
            partNs = Math.max(1, System.nanoTime());
        }
        final int enough = Math.max(target.count(), READY_LENGTH);
        isReady = !isLong || waiting >= Math.min(enough, windowLength / 2);
        return isReady;
    }

    /** Whether a part has come before that time, and not enough since. */
    boolean isPartSince(final long sinceNs) {
        return !isReady && segments.length() > 0 && partNs - sinceNs < 0;
    }

    /** Whether more of a message comes that is being read, as far as is known. */
    boolean isLong() {
        return isLong && isReady;
    }

    /** Whether the reading thread need not wait. */
    boolean isReady() {
        return isReady;
    }

    /** Takes the bytes that have come to the place of the reading thread; or else bytes that were put aside. */
    int take(final byte[] bytes, final int offset, final int count) {
        final int come = takeTarget();
        final int taken = come > 0 ? come : segments.take(bytes, offset, count);
        isReady = segments.length() > 0;
        partNs = 0;
        return taken;
    }

    /** How much has come where the reading thread wanted it; from here on nothing does. */
    int takeTarget() {
        return target.take();
    }

    /** Gives its memory back; unread bytes are lost. */
    void free() {
        segments.clear();
        isReady = false;
    }
}
