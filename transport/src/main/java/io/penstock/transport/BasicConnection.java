package io.penstock.transport;

/**
 * The common part of connections: their names, the lengths that they take, their positions. For authors of a transport;
 * owned by its agent.
 */
public abstract class BasicConnection implements Connection {
    private final long id;
    private final String peer;
    private final boolean isLocal;
    private final int partLengthMax;
    private long position;
    private int sendRemaining;
    private boolean isClosed;

    /**
     * Open, with nothing sent.
     *
     * @param id            that no other connection of the transport ever has.
     * @param peer          for people and logs.
     * @param isLocal       whether the medium reaches only processes of this machine.
     * @param partLengthMax the longest part that one offer takes, in bytes.
     */
    protected BasicConnection(final long id, final String peer, final boolean isLocal, final int partLengthMax) {
        this.id = id;
        this.peer = peer;
        this.isLocal = isLocal;
        this.partLengthMax = partLengthMax;
    }

    @Override
    public final long id() {
        return id;
    }

    @Override
    public final String peer() {
        return peer;
    }

    @Override
    public final boolean isLocal() {
        return isLocal;
    }

    @Override
    public final int bestSendLength() {
        return partLengthMax;
    }

    /**
     * Fails unless an offer is one that {@link Connection#offer} allows.
     *
     * @param length    of header and body.
     * @param remaining as offered.
     */
    protected final void checkPart(final int length, final int remaining) {
        PartRules.checkOffer(length, remaining, partLengthMax, sendRemaining);
    }

    /**
     * Whether the next part begins a frame.
     *
     * @return true when all of the last one was taken.
     */
    protected final boolean isBetweenFrames() {
        return sendRemaining == 0;
    }

    /**
     * Notes a part that was taken.
     *
     * @param length    of header and body.
     * @param remaining as offered.
     * @return the position after it.
     */
    protected final long onTaken(final int length, final int remaining) {
        sendRemaining = remaining;
        position += length;
        return position;
    }

    /** The position of what was taken: media that copy need nothing of it any more. */
    @Override
    public long completedPosition() {
        return position;
    }

    @Override
    public final boolean isClosed() {
        return isClosed;
    }

    /** From here on it is closed. */
    protected final void markClosed() {
        isClosed = true;
    }

    @Override
    public final String toString() {
        return peer + "#" + id;
    }
}
