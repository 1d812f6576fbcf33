package io.penstock.orb.chunk;

import java.io.IOException;

/**
 * A stream of bytes both ways over a connection that it shares with others. One thread at a time reads it, and one writes
 * it. What was received and not read is bounded by the window; whoever sends waits for credit.
 */
public final class ChunkStream {
    private static final byte[] NO_BYTES = {};

    private final ChunkConnection connection;
    private final int id;
    private final byte[] creditFrame = new byte[ChunkFrame.HEADER_LENGTH + ChunkFrame.CREDIT_LENGTH];

    // All below is guarded by the connection's lock, but what the reading and the writing thread have to themselves.
    private byte[] ring = NO_BYTES;
    private int ringPosition;
    private int length;
    private int receivable;
    private int credit;
    private boolean isTurn;
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
    private boolean isReading;
    // Of the writing thread.
    private boolean isBegun;
    private volatile boolean isHeld;

    ChunkStream(final ChunkConnection connection, final int id, final int receivable, final int credit) {
        this.connection = connection;
        this.id = id;
        this.receivable = receivable;
        this.credit = credit;
    }

    /** Which one of the connection's it is. */
    public int id() {
        return id;
    }

    /** The connection it shares. */
    public ChunkConnection connection() {
        return connection;
    }

    /** Whether some thread reads it, so that nobody has to be told when bytes come. */
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
     * @return whether a frame found another on its way.
     * @throws IOException as {@link #read} does.
     */
    public boolean send(final byte[] bytes, final int offset, final int count, final int flags, final long deadlineNs)
            throws IOException {
        boolean isWaiting = false;
        int at = offset;
        int left = count;
        do {
            final int length = left == 0 ? 0 : connection.takeCredit(this, Math.min(left, maxPayload()), deadlineNs);
            if (length < 0) {
                return isWaiting;
            }
            ChunkFrame.put(
                    bytes, at - ChunkFrame.HEADER_LENGTH, ChunkFrame.DATA, flags(flags, length == left), length, id);
            isWaiting |= connection.send(null, bytes, at - ChunkFrame.HEADER_LENGTH, ChunkFrame.HEADER_LENGTH + length);
            at += length;
            left -= length;
        } while (left > 0);
        return isWaiting;
    }

    /**
     * Sends bytes straight from the caller's array, which is left as it is.
     *
     * @param bytes      to send.
     * @param offset     where to begin.
     * @param count      of bytes, more than 0.
     * @param deadlineNs of {@link System#nanoTime()}, for credit.
     * @return whether a frame found another on its way.
     * @throws IOException as {@link #read} does.
     */
    public boolean sendGathered(final byte[] bytes, final int offset, final int count, final long deadlineNs)
            throws IOException {
        final byte[] header = new byte[ChunkFrame.HEADER_LENGTH];
        boolean isWaiting = false;
        int at = offset;
        int left = count;
        while (left > 0) {
            final int length = connection.takeCredit(this, Math.min(left, maxPayload()), deadlineNs);
            if (length < 0) {
                return isWaiting;
            }
            ChunkFrame.put(header, 0, ChunkFrame.DATA, flags(0, false), length, id);
            isWaiting |= connection.send(header, bytes, at, length);
            at += length;
            left -= length;
        }
        return isWaiting;
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

    /** What was read can be sent again by the other side. */
    private void giveCredit() throws IOException {
        if (readLength * 2 >= connection.own().windowLength()) {
            final int given = readLength;
            readLength = 0;
            if (connection.grant(this, given)) {
                ChunkFrame.put(creditFrame, 0, ChunkFrame.WINDOW, 0, ChunkFrame.CREDIT_LENGTH, id);
                ChunkFrame.putInt(creditFrame, ChunkFrame.HEADER_LENGTH, given);
                connection.send(null, creditFrame, 0, creditFrame.length);
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
            return isOver() && length == 0;
        }
    }

    /**
     * Bytes that were received and not read.
     *
     * @return count.
     */
    public int available() {
        synchronized (connection.lock()) {
            return length;
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
        return length;
    }

    /** Its reading thread waits: what comes goes where it wants it, as long as there is room. */
    void target(final byte[] bytes, final int offset, final int count) {
        target = bytes;
        targetOffset = offset;
        targetCount = count;
        targetLength = 0;
    }

    byte[] target() {
        return target;
    }

    int targetEnd() {
        return targetOffset + targetLength;
    }

    int targetRoom() {
        return targetCount - targetLength;
    }

    /** Whether another thread reads there, without the lock. */
    boolean isClaimed() {
        return isClaimed;
    }

    void claim() {
        isClaimed = true;
    }

    void claimed(final int count) {
        targetLength += count;
        isClaimed = false;
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
        final int some = length > 0 ? 0 : Math.min(count, targetRoom());
        System.arraycopy(bytes, offset, target, targetEnd(), some);
        targetLength += some;
        return some;
    }

    int take(final byte[] bytes, final int offset, final int count) {
        final int taken = Math.min(count, length);
        final int first = Math.min(taken, ring.length - ringPosition);
        System.arraycopy(ring, ringPosition, bytes, offset, first);
        System.arraycopy(ring, 0, bytes, offset + first, taken - first);
        ringPosition = (ringPosition + taken) & (ring.length - 1);
        length -= taken;
        readLength += taken;
        return taken;
    }

    /** How much longer the ring has to be for so many bytes more. */
    int growth(final int count) {
        return length + count <= ring.length ? 0 : Rings.length(length + count) - ring.length;
    }

    void put(final byte[] bytes, final int offset, final int count, final Rings rings) {
        if (length + count > ring.length) {
            final byte[] longer = rings.take(Rings.length(length + count));
            final int first = Math.min(length, ring.length - ringPosition);
            System.arraycopy(ring, ringPosition, longer, 0, first);
            System.arraycopy(ring, 0, longer, first, length - first);
            rings.give(ring);
            ring = longer;
            ringPosition = 0;
        }
        final int end = (ringPosition + length) & (ring.length - 1);
        final int first = Math.min(count, ring.length - end);
        System.arraycopy(bytes, offset, ring, end, first);
        System.arraycopy(bytes, offset + first, ring, 0, count - first);
        length += count;
    }

    /** Gives its memory back; what was not read is gone. */
    int free(final Rings rings) {
        final int freed = ring.length;
        rings.give(ring);
        ring = NO_BYTES;
        ringPosition = 0;
        length = 0;
        return freed;
    }

    /** Bytes went straight to the reader. */
    void onDirect(final int count) {
        readLength += count;
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
