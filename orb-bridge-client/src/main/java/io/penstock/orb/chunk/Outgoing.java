package io.penstock.orb.chunk;

/** A frame that is sent, and the array that it lies in. Owned by the thread that sends. */
final class Outgoing {
    private static final byte[] NO_HEADER = {};

    private final boolean isGiven;
    private byte[] header = NO_HEADER;
    private byte[] bytes;
    private int offset;
    private int length;
    private boolean isLast;
    private boolean isDeferred;

    /**
     * Nothing yet.
     *
     * @param bytes   where frames lie.
     * @param isGiven whether they may be kept with the last frame, for others.
     */
    Outgoing(final byte[] bytes, final boolean isGiven) {
        this.bytes = bytes;
        this.isGiven = isGiven;
    }

    /** The frame that is next. */
    void frame(final int newOffset, final int newLength, final boolean isLastFrame) {
        offset = newOffset;
        length = newLength;
        isLast = isLastFrame;
    }

    /** The header of each frame lies here, and not before it. */
    byte[] withHeader() {
        header = new byte[ChunkFrame.HEADER_LENGTH];
        return header;
    }

    byte[] header() {
        return header;
    }

    byte[] bytes() {
        return bytes;
    }

    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    /** Whether its array may be kept. */
    boolean isGivable() {
        return isGiven && isLast;
    }

    /** Its sender sends more at once, or flushes. */
    boolean isDeferred() {
        return isDeferred;
    }

    void defer() {
        isDeferred = true;
    }

    /** Its array was kept; the sender goes on with another one. */
    void replace(final byte[] other) {
        bytes = other;
    }
}
