package io.penstock.orb.chunk;

import java.io.IOException;

/**
 * A stream of bytes both ways over a connection that it shares with others. One thread at a time reads it, and one writes
 * it. What was received and not read is bounded by the window, and more for a long message that is being read; whoever sends
 * waits for credit.
 */
public final class ChunkStream {
    private static final byte[] NO_BYTES = {};
    /** More than a frame: what is not longer comes whole, and what is longer goes straight to its reader after this. */
    private static final int READY_LENGTH = 96 * 1024;

    private static final int EXTENDED_LENGTH = 2 * 1024 * 1024;

    private final ChunkConnection connection;
    private final int id;
    private final byte[] creditFrame = new byte[ChunkFrame.HEADER_LENGTH + ChunkFrame.CREDIT_LENGTH];

    // All below is guarded by the connection's lock, but what the reading and the writing thread have to themselves.
    private final Segments segments;
    private int receivable;
    private int credit;
    private boolean isTurn;
    private boolean isReady;
    private boolean isLong;
    private int extendedLength;
    // When the first of what is not enough yet has come; 0 = nothing has.
    private long partNs;
    private IOException end;
    private byte[] target = NO_BYTES;
    private int targetOffset;
    private int targetCount;
    private int targetLength;
    private boolean isClaimed;
    private final Waiter reader = new Waiter();
    private final Waiter creditor = new Waiter();

    // Of the reading thread.
    private int readLength;
    private boolean isExtended;
    private boolean isReading;
    // Of the writing thread.
    private boolean hasWaited;
    private boolean isBegun;
    private volatile boolean isHeld;

    ChunkStream(final ChunkConnection connection, final int id, final int receivable, final int credit) {
        this.connection = connection;
        this.id = id;
        this.receivable = receivable;
        this.credit = credit;
        segments = new Segments(connection.segments());
    }

    /** Which one of the connection's it is. */
    public int id() {
        return id;
    }

    /** The connection it shares. */
    public ChunkConnection connection() {
        return connection;
    }

    /** Whether some thread reads it, so that nobody has to be notified when bytes come. */
    boolean isHeld() {
        return isHeld;
    }

    void hold(final boolean isWanted) {
        isHeld = isWanted;
    }

    /** The calling thread reads it from here on; {@link ChunkConnection#release} says that it does so no more. */
    public void hold() {
        isHeld = true;
    }

    /**
     * Reads, and waits for the first byte. The calling thread may read for other streams meanwhile.
     *
     * @param bytes      to read into.
     * @param offset     where to begin.
     * @param count      most bytes, more than 0.
     * @param deadlineNs of {@link System#nanoTime()}.
     * @return bytes read, -1 at the end: what was asked is answered, and there is no more.
     * @throws java.net.SocketTimeoutException when nothing comes before the deadline.
     * @throws IOException                     when the stream was given up, or the connection is broken.
     */
    public int read(final byte[] bytes, final int offset, final int count, final long deadlineNs) throws IOException {
        giveCredit();
        return connection.read(this, bytes, offset, count, deadlineNs);
    }

    /**
     * Sends bytes, in frames, as the other side gives credit.
     *
     * @param bytes      in which {@link ChunkFrame#HEADER_LENGTH} bytes before each byte that is sent may be overwritten.
     * @param offset     where to begin; room for a header is before it.
     * @param count      of bytes; 0 only with a flag.
     * @param flags      of the last frame.
     * @param deadlineNs of {@link System#nanoTime()}, for credit.
     * @throws IOException as {@link #read} does.
     */
    public void send(final byte[] bytes, final int offset, final int count, final int flags, final long deadlineNs)
            throws IOException {
        send(new Outgoing(bytes, false), offset, count, flags, deadlineNs);
    }

    /**
     * Sends bytes as {@link #send} does, and may keep their array until they are sent, so that nobody waits for that.
     *
     * @param bytes      given away.
     * @param offset     where to begin; room for a header is before it.
     * @param count      of bytes; 0 only with a flag.
     * @param flags      of the last frame.
     * @param deadlineNs of {@link System#nanoTime()}, for credit.
     * @return an array to go on with: the same, or another one.
     * @throws IOException as {@link #read} does.
     */
    public byte[] give(final byte[] bytes, final int offset, final int count, final int flags, final long deadlineNs)
            throws IOException {
        final Outgoing outgoing = new Outgoing(bytes, true);
        send(outgoing, offset, count, flags, deadlineNs);
        return outgoing.bytes();
    }

    /**
     * Sends bytes as {@link #give} does; a short frame when the connection is flushed, or something else is sent, or read.
     *
     * @param bytes      given away.
     * @param offset     where to begin; room for a header is before it.
     * @param count      of bytes; 0 only with a flag.
     * @param flags      of the last frame.
     * @param deadlineNs of {@link System#nanoTime()}, for credit.
     * @return an array to go on with: the same, or another one.
     * @throws IOException as {@link #read} does.
     */
    public byte[] defer(final byte[] bytes, final int offset, final int count, final int flags, final long deadlineNs)
            throws IOException {
        final Outgoing outgoing = new Outgoing(bytes, true);
        outgoing.defer();
        send(outgoing, offset, count, flags, deadlineNs);
        return outgoing.bytes();
    }

    private void send(
            final Outgoing outgoing, final int offset, final int count, final int flags, final long deadlineNs)
            throws IOException {
        hasWaited = false;
        int at = offset;
        int left = count;
        do {
            final int length = left == 0 ? 0 : connection.takeCredit(this, Math.min(left, maxPayload()), deadlineNs);
            if (length < 0) {
                return;
            }
            ChunkFrame.put(
                    outgoing.bytes(),
                    at - ChunkFrame.HEADER_LENGTH,
                    ChunkFrame.DATA,
                    flags(flags, length == left),
                    length,
                    id);
            left -= length;
            outgoing.frame(at - ChunkFrame.HEADER_LENGTH, ChunkFrame.HEADER_LENGTH + length, left == 0);
            hasWaited |= connection.send(outgoing);
            at += length;
        } while (left > 0);
    }

    /** Whether a frame of what was sent last has found another on its way; asked by the writing thread. */
    public boolean hasWaited() {
        return hasWaited;
    }

    /**
     * Sends bytes straight from the caller's array, which is left as it is.
     *
     * @param bytes      to send.
     * @param offset     where to begin.
     * @param count      of bytes, more than 0.
     * @param deadlineNs of {@link System#nanoTime()}, for credit.
     * @throws IOException as {@link #read} does.
     */
    public void sendGathered(final byte[] bytes, final int offset, final int count, final long deadlineNs)
            throws IOException {
        final Outgoing outgoing = new Outgoing(bytes, false);
        final byte[] header = outgoing.withHeader();
        hasWaited = false;
        int at = offset;
        int left = count;
        while (left > 0) {
            final int length = connection.takeCredit(this, Math.min(left, maxPayload()), deadlineNs);
            if (length < 0) {
                return;
            }
            ChunkFrame.put(header, 0, ChunkFrame.DATA, flags(0, false), length, id);
            outgoing.frame(at, length, false);
            hasWaited |= connection.send(outgoing);
            at += length;
            left -= length;
        }
    }

    private int maxPayload() {
        return connection.peer().frameLengthMax() - ChunkFrame.HEADER_LENGTH;
    }

    private int flags(final int last, final boolean isLast) {
        int flags = isLast ? last : 0;
        if (!isBegun) {
            isBegun = true;
            flags |= connection.isCaller() ? ChunkFrame.BEGIN : 0;
        }
        return flags;
    }

    /**
     * What was read can be sent again by the other side. More can be sent of a long message that is being read: it goes to
     * its reader, so that little of it is kept, and its sender should not have to wait each time.
     */
    private void giveCredit() throws IOException {
        final boolean isMore = !isExtended && connection.extend(this, EXTENDED_LENGTH);
        if (isMore || readLength * 2 >= connection.own().windowLength()) {
            final int given = readLength + (isMore ? EXTENDED_LENGTH : 0);
            isExtended |= isMore;
            readLength = 0;
            if (connection.grant(this, given)) {
                ChunkFrame.put(creditFrame, 0, ChunkFrame.WINDOW, 0, ChunkFrame.CREDIT_LENGTH, id);
                ChunkFrame.putInt(creditFrame, ChunkFrame.HEADER_LENGTH, given);
                final Outgoing outgoing = new Outgoing(creditFrame, false);
                outgoing.frame(0, creditFrame.length, false);
                final boolean unused = connection.send(outgoing);
            }
        }
    }

    /**
     * Whether everything was answered and read, or it has ended: the next question needs another stream.
     *
     * @return true for good.
     */
    public boolean isDone() {
        synchronized (connection.lock()) {
            return isOver() && segments.length() == 0;
        }
    }

    /**
     * Bytes that were received and not read.
     *
     * @return count.
     */
    public int available() {
        synchronized (connection.lock()) {
            return segments.length();
        }
    }

    /**
     * Gives the stream up, on both sides. Does nothing when it is over.
     *
     * @param reason that the other side is told.
     */
    public void reset(final String reason) {
        connection.reset(this, reason);
    }

    // What the connection does with it, under its lock.

    int length() {
        return segments.length();
    }

    /** Its reading thread waits: what comes goes where it wants it, as long as there is room. */
    void target(final byte[] bytes, final int offset, final int count) {
        target = bytes;
        targetOffset = offset;
        targetCount = count;
        targetLength = 0;
    }

    private int targetRoom() {
        return targetCount - targetLength;
    }

    /** Whether another thread reads to where the reading thread wants it, without the lock. */
    boolean isClaimed() {
        return isClaimed;
    }

    /** Whether bytes can go to where the reading thread wants them: it waits, or reads for all. */
    private boolean isTarget(final int count) {
        return segments.length() == 0 && targetRoom() >= count && (reader.thread() != null || isReading);
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
        if (isTarget(count)) {
            isClaimed = true;
            return new Claim(target, targetOffset + targetLength, count, true);
        }
        return segments.claim(count);
    }

    void claimed(final Claim claim, final int count) {
        if (claim.isTarget()) {
            isClaimed = false;
            targetLength += count;
        } else {
            segments.claimed(count);
        }
    }

    /**
     * Bytes have come. They are read together: when the other side waits, or when half of what it may send is there, since
     * it may be waiting for credit then.
     *
     * @return whether they can be read from here on.
     */
    boolean come(final int flags) {
        final int waiting = targetLength + segments.length();
        isLong = (flags & (ChunkFrame.FLUSH | ChunkFrame.TURN)) == 0;
        if (isReady || waiting == 0) {
            return false;
        }
        if (partNs == 0) {
            partNs = Math.max(1, System.nanoTime());
        }
        final int enough = targetCount > READY_LENGTH ? targetCount : READY_LENGTH;
        isReady = !isLong || waiting >= Math.min(enough, connection.own().windowLength() / 2);
        return isReady;
    }

    /** Whether a part of what nobody reads yet has come before that time, and not enough since. */
    boolean isPartSince(final long sinceNs) {
        return !isHeld && !isReady && segments.length() > 0 && partNs - sinceNs < 0;
    }

    /** Whether more of a message comes that is being read, as far as is known. */
    boolean isLong() {
        return isLong && isReady;
    }

    /** Memory for so many bytes more was taken for it. */
    void extend(final int count) {
        extendedLength += count;
    }

    /** For how many bytes memory was taken, whether they come or not. */
    int extendedLength() {
        return extendedLength;
    }

    /** Whether the reading thread need not wait. */
    boolean isReady() {
        return isReady;
    }

    /** How much has come there; from here on nothing does. */
    int takeTarget() {
        final int taken = targetLength;
        target = NO_BYTES;
        targetOffset = 0;
        targetCount = 0;
        targetLength = 0;
        readLength += taken;
        return taken;
    }

    /** Puts what it can where the reading thread wants it, and returns how much that was. */
    int putToTarget(final byte[] bytes, final int offset, final int count) {
        final int some = segments.length() > 0 ? 0 : Math.min(count, targetRoom());
        System.arraycopy(bytes, offset, target, targetOffset + targetLength, some);
        targetLength += some;
        return some;
    }

    /** What has come where the reading thread wanted it; or else of what was put aside. */
    int take(final byte[] bytes, final int offset, final int count) {
        final int come = takeTarget();
        final int taken = come > 0 ? come : takeKept(bytes, offset, count);
        isReady = segments.length() > 0;
        partNs = 0;
        return taken;
    }

    private int takeKept(final byte[] bytes, final int offset, final int count) {
        final int taken = segments.take(bytes, offset, count);
        readLength += taken;
        return taken;
    }

    /** Bytes of the segments that so many bytes more need. */
    int growth(final int count) {
        return segments.growth(count);
    }

    /** Bytes of the segments that it has. */
    int heldLength() {
        return segments.heldLength();
    }

    void put(final byte[] bytes, final int offset, final int count) {
        segments.put(bytes, offset, count);
    }

    /** Gives its memory back; what was not read is gone. */
    void free() {
        segments.clear();
        extendedLength = 0;
        isReady = false;
    }

    /** Bytes come; false when there was no credit for so many. */
    boolean receive(final int count) {
        receivable -= count;
        return receivable >= 0;
    }

    void grant(final int count) {
        receivable += count;
    }

    int credit() {
        return credit;
    }

    void credit(final int count) {
        credit += count;
    }

    /** Whether nothing more comes. */
    boolean isOver() {
        return isTurn || end != null;
    }

    boolean isTurn() {
        return isTurn;
    }

    void turn() {
        isTurn = true;
    }

    IOException end() {
        return end;
    }

    void end(final IOException reason) {
        if (end == null) {
            end = reason;
        }
    }

    /** Whether its reading thread reads for all; asked by that thread. */
    boolean isReading() {
        return isReading;
    }

    void isReading(final boolean isWanted) {
        isReading = isWanted;
    }

    Waiter reader() {
        return reader;
    }

    Waiter creditor() {
        return creditor;
    }
}
