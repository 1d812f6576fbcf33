package io.penstock.orb.chunk;

/** Where the thread that reads a connection puts bytes of a stream, without the lock. */
final class Claim {
    private final byte[] bytes;
    private final int offset;
    private final int room;
    private final boolean isTarget;

    /**
     * A place.
     *
     * @param bytes    where.
     * @param offset   to begin.
     * @param room     most bytes.
     * @param isTarget whether the stream's reading thread wants them there.
     */
    Claim(final byte[] bytes, final int offset, final int room, final boolean isTarget) {
        this.bytes = bytes;
        this.offset = offset;
        this.room = room;
        this.isTarget = isTarget;
    }

    byte[] bytes() {
        return bytes;
    }

    int offset() {
        return offset;
    }

    int room() {
        return room;
    }

    boolean isTarget() {
        return isTarget;
    }
}
