package io.penstock.orb.chunk;

import java.io.IOException;

/**
 * A stream of bytes both ways over a connection that it shares with others. One thread at a time reads it, and one
 * writes it. The window bounds received bytes that are not read, and a higher bound holds for a long message that is
 * being read; the sender waits for credit.
 */
public final class ChunkStream {
    private final ChunkConnection connection;
    private final int id;
    private final StreamInput input;
    private final StreamOutput output;
    private final GivenCredit given;

    // Guarded by the connection's lock.
    private boolean isTurn;
    private IOException end;

    private volatile boolean isHeld;

    ChunkStream(final ChunkConnection connection, final int id, final int receivable, final int credit) {
        this.connection = connection;
        this.id = id;
        input = new StreamInput(
                new Segments(connection.segments()), connection.own().windowLength());
        output = new StreamOutput(this, credit);
        given = new GivenCredit(this, receivable);
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
        given.give();
        return connection.waits().read(this, bytes, offset, count, deadlineNs);
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
        output.send(new Outgoing(bytes, false), offset, count, flags, deadlineNs);
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
        output.send(outgoing, offset, count, flags, deadlineNs);
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
        output.send(outgoing, offset, count, flags, deadlineNs);
        return outgoing.bytes();
    }

    /** Whether a frame of what was sent last has found another on its way; asked by the writing thread. */
    public boolean hasWaited() {
        return output.hasWaited();
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
        output.sendGathered(new Outgoing(bytes, false), offset, count, deadlineNs);
    }

    /**
     * Whether everything was answered and read, or it has ended: the next question needs another stream.
     *
     * @return true for good.
     */
    public boolean isDone() {
        synchronized (connection.lock()) {
            return isOver() && input.length() == 0;
        }
    }

    /**
     * Bytes that were received and not read.
     *
     * @return count.
     */
    public int available() {
        synchronized (connection.lock()) {
            return input.length();
        }
    }

    /**
     * Gives the stream up, on both sides. Does nothing when it is over.
     *
     * @param reason sent to the other side.
     */
    public void reset(final String reason) {
        connection.reset(this, reason);
    }

    // What the connection does with it, under its lock.

    /** Its received bytes. */
    StreamInput input() {
        return input;
    }

    /** Its sending side. */
    StreamOutput output() {
        return output;
    }

    /** Bytes come; false when there was no credit for so many. */
    boolean receive(final int count) {
        return given.receive(count);
    }

    /** Whether a part of what nobody reads yet has come before that time, and not enough since. */
    boolean isPartSince(final long sinceNs) {
        return !isHeld && input.isPartSince(sinceNs);
    }

    /** Takes received bytes for its reading thread. */
    int take(final byte[] bytes, final int offset, final int count) {
        final int taken = input.take(bytes, offset, count);
        given.onRead(taken);
        return taken;
    }

    /** Its reading thread waits no more: the bytes that have come to the place that it gave are lost. */
    void dropTarget() {
        given.onRead(input.takeTarget());
    }

    /** Bytes of memory that were taken for it. */
    int heldLength() {
        return input.heldLength() + given.extendedLength();
    }

    /** Gives its memory back; unread bytes are lost. */
    void free() {
        input.free();
        given.free();
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
}
